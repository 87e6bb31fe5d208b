// `npm run --silent customers -- …`: customers of area C, their keys, limits and enrollments, for operators.
import { runCustomerCommand } from './customers/customerCommands.js';
import { operatorServices } from './customers/operatorServices.js';
import { audited } from './operate/audited.js';
import { customersByUrl } from './operate/byUrl.js';
import { operatorProgram } from './operatorProgram.js';

const changing = ['create', 'rotate', 'revoke', 'limit', 'stop', 'purge', 'export'];
const run = (own: readonly string[]): Promise<unknown> => runCustomerCommand(own, () => operatorServices(process.env));
await operatorProgram(import.meta.url, audited('customers', changing, run), customersByUrl);
