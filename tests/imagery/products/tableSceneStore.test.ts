import { TableSceneStore } from '../../../shared/imagery/products/tableSceneStore.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { describeSceneStore } from './sceneStoreSuite.js';

let tiles = 0;
const store = new TableSceneStore(new MemoryRows());
describeSceneStore(
  'on rows',
  () => store,
  () => `33UA${(tiles += 1)}`,
);
