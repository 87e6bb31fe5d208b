import { randomUUID } from 'node:crypto';
import { TableSceneStore } from '../../shared/imagery/discovery/tableSceneStore.js';
import { describeSceneStore } from '../imagery/discovery/sceneStoreSuite.js';
import { tableOf } from './storage.js';

describeSceneStore(
  'in a table',
  () => new TableSceneStore(tableOf('scenes')),
  () => `tile-${randomUUID()}`,
);
