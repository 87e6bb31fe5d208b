import { randomUUID } from 'node:crypto';
import { TableSceneStore } from '../../shared/imagery/discovery/tableSceneStore.js';
import { describeSceneStore } from '../imagery/discovery/sceneStoreSuite.js';
import { rowsOf } from './storage.js';

describeSceneStore(
  'in a table',
  () => new TableSceneStore(rowsOf('scenes')),
  () => `tile-${randomUUID()}`,
);
