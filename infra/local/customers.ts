// `npm run --silent customers -- …`: customers of area C, their keys, limits and enrollments, for operators.
import { runCustomerCommand } from './customers/customerCommands.js';
import { operatorServices } from './customers/operatorServices.js';
import { operatorProgram } from './operatorProgram.js';

await operatorProgram(import.meta.url, (argv) => runCustomerCommand(argv, () => operatorServices(process.env)));
