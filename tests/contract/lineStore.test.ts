import { TableLineStore } from '../../shared/jobs/tableLineStore.js';
import { randomId } from '../../shared/ids.js';
import { describeLineStore } from '../jobs/lineStoreSuite.js';
import { tableOf } from './storage.js';

describeLineStore('in a table', () => new TableLineStore(tableOf('limits'), randomId));
