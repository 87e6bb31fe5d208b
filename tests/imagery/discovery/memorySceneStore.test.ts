import { MemorySceneStore } from '../../support/memorySceneStore.js';
import { describeSceneStore } from './sceneStoreSuite.js';

let tiles = 0;
const store = new MemorySceneStore();
describeSceneStore(
  'in memory',
  () => store,
  () => `33UA${(tiles += 1)}`,
);
