// Answers of `az` are written by hand from its documentation: no Azure was asked.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ensureOperators } from '../../../infra/deploy/operators.mjs';
import { failure, listed, worldOf, type Answers, type World } from './standIn.js';

const env = { OPERATOR_GROUP_ID: 'group-id', TOKEN_AUDIENCE: 'app-id' };
const scopeOf = (group: string): string => `/subscriptions/01234567-89ab/resourceGroups/${group}`;
const scopes = ['rg-fields-prod', 'rg-fields-prod-backup'].map(scopeOf);

const worldWith = (more: Answers = []): World =>
  worldOf({
    env,
    answers: [
      ...more,
      ['az deployment group list', listed],
      ['az group show --name rg-fields-prod-backup', scopes[1] ?? ''],
      ['az group show --name rg-fields-prod ', scopes[0] ?? ''],
      ['az role definition create', 'role-id'],
      ['az role definition update', 'role-id'],
      ['az ad sp show', '[{"value":"Operate","id":"operate-id"}]'],
      ['az ad sp list', 'service-principal'],
    ],
  });

/** Runs the program. @returns the world, and the role as Azure was sent it */
async function operatorsIn(world: World): Promise<Readonly<Record<string, unknown>> | undefined> {
  let role: Readonly<Record<string, unknown>> | undefined;
  const run: World['run'] = (program, args, given) => {
    const file = args[args.indexOf('--role-definition') + 1] ?? '';
    if (file.startsWith('@')) role = JSON.parse(readFileSync(file.slice(1), 'utf8')) as typeof role;
    return world.run(program, args, given);
  };
  await ensureOperators({ ...world, run }, ['rg-fields-prod']);
  return role;
}

describe('the group of operators', () => {
  test('gets the role that changes the app and lets addresses in, in both resource groups', async () => {
    const world = worldWith();
    const role = await operatorsIn(world);
    expect(role).toMatchObject({
      Name: 'Field service operator of rg-fields-prod, 01234567',
      AssignableScopes: scopes,
    });
    const given = world.commands.filter((line) => line.startsWith('az role assignment create'));
    expect(given.map((line) => / --scope (\S+)/.exec(line)?.[1])).toEqual(scopes);
    for (const line of given) expect(line).toContain('--role role-id --assignee-object-id group-id');
  });
  test('gets Operate of the application', async () => {
    const world = worldWith();
    await operatorsIn(world);
    expect(world.bodies).toEqual([
      { principalId: 'group-id', resourceId: 'service-principal', appRoleId: 'operate-id' },
    ]);
    expect(world.commands.find((line) => line.startsWith('az rest --method post'))).toContain(
      '/groups/group-id/appRoleAssignments',
    );
  });
  test('keeps what it has, with the role as it is now', async () => {
    const world = worldWith([
      ['az role definition list', 'role-id'],
      [/az rest --method get .*operate-id/, 'assigned'],
    ]);
    await operatorsIn(world);
    expect(world.commands.filter((line) => /role definition create|--method post/.test(line))).toEqual([]);
    expect(world.commands.some((line) => line.startsWith('az role definition update'))).toBe(true);
  });
  test('waits while Azure does not know the new role everywhere', async () => {
    const world = worldWith([
      ['az role assignment create', (attempt) => (attempt < 3 ? failure('(RoleDefinitionDoesNotExist) …') : '')],
    ]);
    await operatorsIn(world);
    expect(world.slept).toEqual([30_000, 30_000]);
  });
  test('is not looked for where it is not named', async () => {
    await expect(ensureOperators(worldOf({}), ['rg'])).rejects.toThrow('Set OPERATOR_GROUP_ID and TOKEN_AUDIENCE');
  });
});
