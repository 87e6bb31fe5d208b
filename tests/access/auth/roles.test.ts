import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { requireRole, rolesFor, rolesOf } from '../../../shared/access/auth/roles.js';

const READ = 'Jobs.Read';
const WRITE = 'Jobs.ReadWrite';

describe('the roles of a token', () => {
  test.each<[string, object, readonly string[]]>([
    ['of an application stand in roles', { roles: [WRITE] }, [WRITE]],
    ['of a person stand in scp, separated by spaces', { scp: `openid ${READ} ${WRITE}` }, [READ, WRITE]],
    ['of a person are those of scp alone, whatever roles the person has', { scp: READ, roles: [WRITE] }, [READ]],
    ['of a person who consented to nothing of ours are none', { scp: 'User.Read', roles: [WRITE] }, []],
    ['are none where scp is empty', { scp: '', roles: [WRITE] }, []],
    ['are none where scp is no text', { scp: [WRITE], roles: [WRITE] }, []],
    ['are none where scp is null', { scp: null, roles: [WRITE] }, []],
    ['are none where there is no claim', {}, []],
    ['are none where roles is a text', { roles: WRITE }, []],
    ['are none where roles is an object', { roles: { includes: WRITE, length: 1, 0: WRITE } }, []],
    ['are those of ours', { roles: ['Admin', READ] }, [READ]],
    ['are written as they are', { roles: ['jobs.read', 'JOBS.READWRITE', ' Jobs.Read', 'Jobs.*'] }, []],
    ['are whole words', { scp: `${WRITE}.All x${READ}` }, []],
  ])('%s', (_what, claims, expected) => {
    expect(rolesOf({ ...claims })).toEqual(expected);
  });
});

describe('an operation', () => {
  test.each([
    { least: READ, carried: [READ], isOpen: true },
    { least: READ, carried: [WRITE], isOpen: true },
    { least: READ, carried: [], isOpen: false },
    { least: WRITE, carried: [WRITE], isOpen: true },
    { least: WRITE, carried: [READ], isOpen: false },
  ] as const)('that needs $least opens to $carried: $isOpen', ({ least, carried, isOpen }) => {
    const asked = (): void => {
      requireRole({ roles: carried }, least);
    };
    if (isOpen) expect(asked).not.toThrow();
    else expect(asked).toThrow(expect.objectContaining({ fault: expect.objectContaining({ status: 403 }) }));
  });

  test.each([
    { of: 'an application', least: READ, isDelegated: false, what: 'carries no role Jobs.Read or Jobs.ReadWrite,' },
    { of: 'a person', least: READ, isDelegated: true, what: 'carries no scope Jobs.Read or Jobs.ReadWrite,' },
    { of: 'a person', least: 'Operate', isDelegated: true, what: 'needs both the role Operate and the scope Operate ' },
    { of: 'a person', least: 'Release', isDelegated: true, what: 'needs both the role Operate and the scope Operate ' },
    { of: 'a pipeline', least: 'Release', isDelegated: false, what: 'carries no role Release or Operate,' },
  ] as const)('that needs $least says what the token of $of lacks: $what', ({ least, isDelegated, what }) => {
    expect(() => {
      requireRole({ roles: [], isDelegated }, least);
    }).toThrow(what);
  });
});

test('the app registration defines these roles for applications, the same as scopes for people, and those of operators', () => {
  interface Definition {
    readonly id: string;
    readonly value: string;
    readonly isEnabled: boolean;
    readonly allowedMemberTypes?: readonly string[];
  }
  const { appRoles, api } = JSON.parse(readFileSync('infra/azure/applicationRoles.json', 'utf8')) as {
    readonly appRoles: readonly Definition[];
    readonly api: {
      readonly requestedAccessTokenVersion: number;
      readonly oauth2PermissionScopes: readonly Definition[];
      readonly preAuthorizedApplications: readonly object[];
    };
  };
  const ofOperators = ['Operate', 'Release'];
  const isOfCallers = ({ value }: Definition): boolean => !ofOperators.includes(value);
  for (const definitions of [appRoles, api.oauth2PermissionScopes]) {
    const ofCallers = definitions.filter(isOfCallers).map(({ value }) => value);
    expect(ofCallers.sort()).toEqual([...rolesFor('Farm.Read'), ...rolesFor('Jobs.Read')]);
    expect(definitions.every(({ isEnabled }) => isEnabled)).toBe(true);
  }
  // A person's right is a scope: a role beside it would not count. Who operates has a role that is given to people alone.
  const members = new Map(appRoles.map(({ value, allowedMemberTypes }) => [value, allowedMemberTypes?.join()]));
  expect([...members].filter(([value]) => value !== 'Operate').every(([, type]) => type === 'Application')).toBe(true);
  expect(members.get('Operate')).toBe('User');
  const definitions = [...appRoles, ...api.oauth2PermissionScopes];
  expect(new Set(definitions.map(({ id }) => id)).size).toBe(definitions.length);
  // `az account get-access-token --scope api://…/Operate` asks for one thing, and no administrator's consent.
  const [cli] = api.preAuthorizedApplications;
  const scope = api.oauth2PermissionScopes.find(({ value }) => value === 'Operate')!;
  expect(cli).toEqual({ appId: '04b07795-8ddb-461a-bbee-02f9e1bf7b46', delegatedPermissionIds: [scope.id] });
  expect(api.requestedAccessTokenVersion).toBe(2);
});
