import { TableInterestStore } from '../../../shared/imagery/interest/tableInterestStore.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { describeInterestStore } from './interestStoreSuite.js';

describeInterestStore('on rows', () => new TableInterestStore(new MemoryRows()));
