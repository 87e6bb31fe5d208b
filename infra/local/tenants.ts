// `npm run --silent tenants -- …`: the register of tenants of areas A and B, for operators.
import { operatorProgram } from './operatorProgram.js';
import { runTenantCommand } from './tenants/tenantCommands.js';
import { tenantOperator } from './tenants/tenantOperator.js';

await operatorProgram(import.meta.url, (argv) => runTenantCommand(argv, () => tenantOperator(process.env)));
