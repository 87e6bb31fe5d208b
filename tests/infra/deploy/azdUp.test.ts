// `azd up` in an empty subscription, hook by hook in the order of azure.yaml, with what azd itself would hand to each.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { deployFirst } from '../../../infra/deploy/firstDeployment.mjs';
import { registerFirstTenant } from '../../../infra/deploy/firstTenant.mjs';
import { register } from '../../../infra/deploy/register.mjs';
import { ensureSecrets } from '../../../infra/deploy/secrets.mjs';
import { targetOfAzd } from '../../../infra/deploy/smoke.mjs';
import { environmentAtFirst, printed, provisioned, refusal, refusalOf } from './azd.js';
import { azdVersion, azVersion, failure, listed, outputs, worldOf, type World } from './standIn.js';

const token = `head.${Buffer.from(JSON.stringify({ roles: ['Jobs.ReadWrite'] })).toString('base64url')}.mark`;
const roles = JSON.stringify(['Jobs.ReadWrite', 'Farm.ReadWrite', 'Operate'].map((value) => ({ value, id: value })));

/** A hook in the environment that azd has by then; what it keeps by `azd env set` is there afterwards. */
async function hook(
  environment: Readonly<Record<string, string>>,
  program: (ports: World) => unknown,
): Promise<{ readonly environment: Readonly<Record<string, string>>; readonly world: World }> {
  const isDeployed = 'AZURE_APP_NAME' in environment;
  const world = worldOf({
    env: environment,
    answers: [
      ['node --version', 'v22.1.0'],
      ['az version', azVersion],
      ['azd version', azdVersion],
      ['azd env get-values', printed(environment)],
      ['az functionapp list-flexconsumption-locations', 'westeurope'],
      ['az ad app create', 'an-application'],
      ['az ad app credential reset', 'a-secret'],
      ['az ad sp list', 'a-principal'],
      ['az ad sp show', roles],
      ['az ad signed-in-user show', 'anna@example.com'],
      ['az deployment group list', isDeployed ? listed : '[]'],
      ['az keyvault secret show', failure('SecretNotFound')],
      ['az functionapp show', '/subscriptions/s/resourceGroups/rg-anna/providers/Microsoft.Web/sites/func'],
      ['npm run --silent tenants -- list', '[]'],
      ['npm run --silent tenants -- add', '{}'],
    ],
    fetch: (address) => {
      if (address.endsWith('/health')) return new Response('', { status: 503 });
      if (!address.startsWith('https://login.')) return new Response('{}', { status: 201 });
      // Entra knows no tenant `undefined`.
      return address.includes(`/${outputs.tenantId}/`)
        ? Response.json({ access_token: token })
        : Response.json({ error_description: 'AADSTS90002: Tenant not found.' }, { status: 400 });
    },
  });
  await program(world);
  const kept = world.argumentsOf.filter((words) => words.slice(0, 3).join(' ') === 'azd env set');
  const set = Object.fromEntries(kept.map(([, , , name = '', value = '']): [string, string] => [name, value]));
  return { environment: { ...environment, ...set }, world };
}

describe('azd up', () => {
  test('has its package taken: no ignore file speaks against it', () => {
    expect(refusal()).toBeUndefined();
  });
  test.each([
    { ignored: '*\n!dist\n!dist/**', refused: true },
    { ignored: 'node_modules/\n', refused: true },
    { ignored: '*\n!node_modules', refused: false },
    { ignored: '*.test.ts\n', refused: false },
  ])('would refuse without a build on Azure where $ignored ignores modules', ({ ignored, refused }) => {
    expect(refusalOf('remoteBuild: false', ignored) !== undefined).toBe(refused);
  });
  test('comes to its end with nothing that azd does not set', async () => {
    const registered = await hook(environmentAtFirst, register);
    expect(registered.environment).toMatchObject({ TOKEN_AUDIENCE: 'an-application', BUDGET_START: '2026-11-01' });
    const environment = { ...registered.environment, ...provisioned };
    await hook(environment, ensureSecrets);
    await hook(environment, deployFirst);
    const { world } = await hook(environment, registerFirstTenant);
    expect(world.commands).toContain(`npm run --silent tenants -- add ${outputs.tenantId}`);
    let proof: unknown;
    await hook(environment, async (ports) => {
      proof = await targetOfAzd(ports);
    });
    expect(proof).toMatchObject({ baseUrl: outputs.baseUrl, env: { TOKEN: token } });
  });
  test('runs each of these programs, in this order', () => {
    const run = [
      ...readFileSync('azure.yaml', 'utf8').matchAll(/(?:node infra\/deploy\/(\w+)\.mjs|npm run (smoke) )/g),
    ];
    expect(run.map(([, program, script]) => program ?? script)).toEqual([
      'firstDeployment',
      'firstTenant',
      'smoke',
      'register',
      'secrets',
    ]);
  });
});

/** An `az` whose own subscription is another one than azd's: it finds groups by `--subscription` alone. */
function azOfAnotherSubscription(): string {
  const folder = mkdtempSync(join(tmpdir(), 'az-'));
  const script = `#!/bin/sh
case "$*" in
  *"--subscription subscription-of-azd"*) cat "${join(folder, 'answer.json')}" ;;
  *) echo "ERROR: (ResourceGroupNotFound) Resource group 'rg-anna' could not be found." >&2; exit 3 ;;
esac
`;
  writeFileSync(join(folder, 'answer.json'), listed);
  writeFileSync(join(folder, 'az'), script);
  chmodSync(join(folder, 'az'), 0o755);
  return folder;
}

(process.platform === 'win32' ? describe.skip : describe)('every command of az', () => {
  const ask = (
    env: NodeJS.ProcessEnv,
  ): { readonly status: number | null; readonly stdout: string; readonly stderr: string } =>
    spawnSync(process.execPath, ['infra/deploy/outputs.mjs', 'rg-anna'], {
      encoding: 'utf8',
      env: { ...env, PATH: `${azOfAnotherSubscription()}${delimiter}${process.env['PATH'] ?? ''}` },
    });
  test('names the subscription of azd, not the one that az would take', () => {
    const { stdout, stderr } = ask({ AZURE_SUBSCRIPTION_ID: 'subscription-of-azd' });
    expect(stderr).toBe('');
    expect(stdout).toContain(`export APP='${outputs.appName}'`);
  });
  test('is left as it is where nobody named one', () => {
    expect(ask({}).stderr).toContain('ResourceGroupNotFound');
  });
});
