/** What the host loads: registers every function of the table. */
import { register } from '../shared/triggers/register.js';
import { functionTable } from './functionTable.js';

register(functionTable);
