// `npm run --silent tenants -- …`: the register of tenants of areas A and B, for operators.
import { audited } from './operate/audited.js';
import { tenantsByUrl } from './operate/byUrl.js';
import { operatorProgram } from './operatorProgram.js';
import { runTenantCommand } from './tenants/tenantCommands.js';
import { tenantOperator } from './tenants/tenantOperator.js';

const changing = ['add', 'set', 'disable', 'enable', 'remove', 'purge', 'import', 'export'];
const run = (own: readonly string[]): Promise<unknown> => runTenantCommand(own, () => tenantOperator(process.env));
await operatorProgram(import.meta.url, audited('tenants', changing, run), tenantsByUrl);
