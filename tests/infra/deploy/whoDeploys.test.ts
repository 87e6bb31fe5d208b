// Steps 2 and 3 of docs/operations/deploy.md, run as written against stand-ins that refuse what Azure and GitHub refuse, by
// their documentation.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allBicepFiles } from '../bicepTree.js';

const page = readFileSync('docs/operations/deploy.md', 'utf8');
const blockAfter = (heading: string): string =>
  /```sh\n([\s\S]*?)```/.exec(page.slice(page.indexOf(heading)))?.[1] ?? '';

/** Answers any command, and keeps its arguments. */
const az = `#!/usr/bin/env node
require('node:fs').appendFileSync(process.env.AZ_LOG, JSON.stringify(process.argv.slice(2)) + '\\n');
console.log('an-id');`;

/**
 * Environments of a repository, by GitHub's reference: a policy of branches is either for protected ones or for named ones,
 * and names are taken only where it is for named ones.
 */
const gh = `#!/usr/bin/env node
const { readFileSync, writeFileSync, existsSync } = require('node:fs');
const args = process.argv.slice(2);
const file = process.env.GH_STATE;
const state = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
if (args[0] === 'variable') {
  const name = args[2];
  if (args.includes('--env')) (state.variables ??= {})[name] = args[args.indexOf('--body') + 1];
  writeFileSync(file, JSON.stringify(state));
  process.exit(0);
}
const path = args.find((arg) => /^(repos|users)\\//.test(arg));
const refuse = (why) => { console.error('gh: ' + why); process.exit(1); };
if (path.startsWith('users/')) { console.log('4711'); process.exit(0); }
const [, environment, policies] = /environments\\/([^/]+)(\\/deployment-branch-policies)?$/.exec(path) ?? refuse('Not Found (HTTP 404)');
if (args.includes('PUT')) {
  const body = JSON.parse(readFileSync(0, 'utf8'));
  const policy = body.deployment_branch_policy;
  if (policy && policy.protected_branches === policy.custom_branch_policies) refuse('Validation Failed (HTTP 422)');
  state[environment] = { ...body, branches: [] };
} else if (args.includes('POST') && policies) {
  if (!state[environment]?.deployment_branch_policy?.custom_branch_policies) refuse('Not Found (HTTP 404)');
  state[environment].branches.push(args.find((arg) => arg.startsWith('name=')).slice(5));
}
writeFileSync(file, JSON.stringify(state));`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'who-'));
  writeFileSync(join(folder, 'az'), az, { mode: 0o755 });
  writeFileSync(join(folder, 'gh'), gh, { mode: 0o755 });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function runBlock(script: string): void {
  const { status, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      AZ_LOG: join(folder, 'az.log'),
      GH_STATE: join(folder, 'gh.json'),
      ...{ ENVIRONMENT: 'prod', GROUP: 'rg', TOKEN_AUDIENCE: 'audience', REPOSITORY: 'us/service' },
      ...{ SIZE: 'large', DEPLOYER: 'deployer-id', PUBLIC_URL: 'https://fields.contoso.com' },
    },
  });
  if (status !== 0) throw new Error(stderr);
}

const hasBash = spawnSync('bash', ['-c', 'exit 0']).status === 0;
(hasBash ? describe : describe.skip)(`who deploys${hasBash ? '' : ' (skipped: there is no bash here)'}`, () => {
  describe('the condition on the roles that the pipeline may assign', () => {
    let condition = '';
    beforeAll(() => {
      runBlock(blockAfter('**2. Who deploys**'));
      const lines = readFileSync(join(folder, 'az.log'), 'utf8').trim().split('\n');
      const commands = lines.map((line) => JSON.parse(line) as readonly string[]);
      const assignment = commands.find((args) => args.includes('--condition')) ?? [];
      condition = assignment[assignment.indexOf('--condition') + 1] ?? '';
    });

    /** Whether Azure lets somebody with this condition assign a role, by its page on the form of conditions. */
    function mayAssign(role: string, principalType: string): boolean {
      const given: Readonly<Record<string, string>> = { RoleDefinitionId: role, PrincipalType: principalType };
      const isOneOf = (attribute: string, list: string): boolean =>
        list.split(',').some((one) => one.trim().replaceAll("'", '').toLowerCase() === given[attribute]?.toLowerCase());
      const expression = condition
        .replaceAll(/ActionMatches\{'([^']+)'\}/g, (_, action: string) => String(action.endsWith('/write')))
        .replaceAll(
          /@(?:Request|Resource)\[Microsoft\.Authorization\/roleAssignments:(\w+)\] ForAnyOfAnyValues:\w+ \{([^}]*)\}/g,
          (_, attribute: string, list: string) => String(isOneOf(attribute, list)),
        )
        .replaceAll(' OR ', ' || ')
        .replaceAll(' AND ', ' && ');
      return runInNewContext(expression) as boolean;
    }

    const secretsOfficer = 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7';
    async function rolesOfModules(): Promise<readonly string[]> {
      const texts = (await allBicepFiles()).map(({ root }) => root.text).join('\n');
      return [...new Set([...texts.matchAll(/'([0-9a-f]{8}-[0-9a-f-]{27})'/g)].map(([, id = '']) => id))];
    }

    test('lets it give applications and groups every role of every module', async () => {
      const needed = (await rolesOfModules()).filter((role) => role !== secretsOfficer);
      expect(needed.length).toBeGreaterThan(8);
      const refused = needed.filter((role) => !mayAssign(role, 'ServicePrincipal') || !mayAssign(role, 'Group'));
      expect(refused).toEqual([]);
    });
    test.each([
      { what: 'the keeping of secrets, which a developer alone has', role: secretsOfficer, type: 'Group' },
      { what: 'ownership', role: '8e3af657-a8ff-443c-a75c-2fe8c4bcb635', type: 'ServicePrincipal' },
      { what: 'anything to a single person', role: 'ba92f5b4-2d11-453d-a403-e96b0029c9fe', type: 'User' },
    ])('does not let it give $what', ({ role, type }) => {
      expect(mayAssign(role, type)).toBe(false);
    });
  });

  test('the environment of GitHub is for one branch, waits for a person, and has the variables of the shell', () => {
    runBlock(blockAfter('**3. In GitHub**'));
    const { prod, variables } = JSON.parse(readFileSync(join(folder, 'gh.json'), 'utf8')) as {
      variables: Readonly<Record<string, string>>;
      prod: { branches: readonly string[]; reviewers: readonly object[]; prevent_self_review: boolean };
    };
    expect(prod).toMatchObject({
      branches: ['main'],
      reviewers: [{ type: 'User', id: 4711 }],
      prevent_self_review: true,
    });
    expect(variables).toMatchObject({
      ...{ SIZE: 'large', AZURE_CLIENT_ID: 'deployer-id', AZURE_SUBSCRIPTION_ID: 'an-id', AZURE_RESOURCE_GROUP: 'rg' },
      ...{ TOKEN_AUDIENCE: 'audience', PUBLIC_URL: 'https://fields.contoso.com' },
    });
  });
});
