import { randomId } from '../../shared/ids.js';
import { TableUnitStore } from '../../shared/imagery/units/tableUnitStore.js';
import { describeUnitStore } from '../imagery/units/unitStoreSuite.js';
import { tableOf } from './storage.js';

describeUnitStore('in a table', () => new TableUnitStore(tableOf('imageryUnits'), randomId));
