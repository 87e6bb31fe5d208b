// What operators need beside the roles of Bicep, by whoever is Owner there and may consent in Entra; safe to repeat:
// node infra/deploy/operators.mjs <resource group>
// The group OPERATOR_GROUP_ID gets the role of infra/azure/operatorRole.json, which a deployer may neither define nor
// assign, and Operate of the application TOKEN_AUDIENCE.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputsOf, variablesOf } from './outputs.mjs';
import { runAsProgram, withPatience } from './ports.mjs';
import { assign, serviceOf } from './register.mjs';

const idOf = ({ run }, group) => run('az', ['group', 'show', '--name', group, '--query', 'id', '--output', 'tsv']);

/** Names of roles are unique in an Entra tenant. */
const roleName = (group, scope) => `Field service operator of ${group}, ${scope.split('/')[2].slice(0, 8)}`;

/** Makes the role, or brings it up to date. @returns its id */
function ensureRole({ run }, name, scopes) {
  const find = ['role', 'definition', 'list', '--custom-role-only', 'true', '--name', name, '--scope', scopes[0]];
  const isThere = run('az', [...find, '--query', '[].id', '--output', 'tsv']) !== '';
  const role = JSON.parse(readFileSync(new URL('../azure/operatorRole.json', import.meta.url), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'role-'));
  try {
    const file = join(folder, 'role.json');
    writeFileSync(file, JSON.stringify({ ...role, Name: name, AssignableScopes: scopes }));
    const write = ['role', 'definition', isThere ? 'update' : 'create', '--role-definition', `@${file}`];
    return run('az', [...write, '--query', 'id', '--output', 'tsv']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function ensureOperators(ports, [group]) {
  const { OPERATOR_GROUP_ID: operators, TOKEN_AUDIENCE: audience } = ports.env;
  if (group === undefined) throw new Error('Name the resource group: node infra/deploy/operators.mjs <resource group>');
  if (!operators || !audience) throw new Error('Set OPERATOR_GROUP_ID and TOKEN_AUDIENCE first.');
  const groups = [...new Set([group, variablesOf(group, outputsOf(ports, group)).BACKUP_GROUP])];
  const scopes = groups.map((name) => idOf(ports, name));
  const role = ensureRole(ports, roleName(group, scopes[0]), scopes);
  const who = ['--assignee-object-id', operators, '--assignee-principal-type', 'Group'];
  for (const scope of scopes) {
    const give = ['role', 'assignment', 'create', '--role', role, ...who, '--scope', scope, '--output', 'none'];
    const passes = ({ said }) => /RoleDefinitionDoesNotExist|doesn't exist|PrincipalNotFound/.test(said);
    await withPatience(ports, () => ports.run('az', give), { passes, minutes: 5, waitingFor: 'The new role' });
  }
  const service = await serviceOf(ports, audience, ['Operate']);
  await assign(ports, service, { kind: 'groups', id: operators }, 'Operate');
  ports.log(`The group ${operators} may operate ${groups.join(' and ')}.`);
}

await runAsProgram(import.meta.url, ensureOperators);
