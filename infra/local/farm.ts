// `npm run --silent farm -- …`: parties, farms and fields that the service keeps for its tenants, for operators.
import { runFarmCommand } from './farm/farmCommands.js';
import { farmOperator } from './farm/farmOperator.js';
import { operatorProgram } from './operatorProgram.js';

await operatorProgram(import.meta.url, (argv) => runFarmCommand(argv, () => farmOperator(process.env)));
