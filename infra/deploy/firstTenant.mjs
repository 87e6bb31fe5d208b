// After `azd deploy`: the subscription's own tenant is registered; the service keeps its farm data. Public images are
// asked for a Smart Boundary only with PUBLIC_IMAGERY=true, for the tenant then answers for their use.
import { groupOf, outputsOf, variablesOf } from './outputs.mjs';
import { isNotYetAllowed, runAsProgram, withPatience } from './ports.mjs';

/** `tenants` prints one JSON text. */
const tenants = ({ run }, variables, ...args) =>
  JSON.parse(run('npm', ['run', '--silent', 'tenants', '--', ...args], variables) || 'null');

export async function registerFirstTenant(ports) {
  const { env, log } = ports;
  const group = groupOf(ports);
  const outputs = outputsOf(ports, group);
  const variables = variablesOf(group, outputs);
  const tid = outputs.tenantId;
  const patience = { passes: isNotYetAllowed, minutes: 20, waitingFor: 'Your own new role on the tables' };
  const known = await withPatience(ports, () => tenants(ports, variables, 'list'), patience);
  const isKnown = known.some((tenant) => tenant.tid === tid);
  const members = env.PUBLIC_IMAGERY === 'true' ? ['imagery=public'] : [];
  if (isKnown && members.length === 0) return log(`The tenant ${tid} is registered.`);
  const command = isKnown ? 'set' : 'add';
  await withPatience(ports, () => tenants(ports, variables, command, tid, ...members), patience);
  return log(`The tenant ${tid} is registered now${members.length > 0 ? ', with public images' : ''}.`);
}

await runAsProgram(import.meta.url, registerFirstTenant);
