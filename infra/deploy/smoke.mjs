// `npm run smoke -- <base url> …` proves any service with what the environment names (tools/smoke/smoke.ts). With `--azd`
// everything is taken from the azd environment: the address, a token of the test client, a field of its own to work on.
import { pathToFileURL } from 'node:url';
import { realPorts, withPatience, withVariables } from './ports.mjs';

const PARTY = '5e0d1c1e-2f7a-4c0b-9a54-1f5f0b3f7a10';
const FARM = '0b9c7b58-1d52-4e5e-8f43-5f1f8f1f2d11';
const FIELD = '7c1f4a08-93bd-4f0e-8a65-2b6d9e50c3f1';
const RING = [
  [-92.985, 41.502],
  [-92.979, 41.502],
  [-92.979, 41.507],
  [-92.985, 41.507],
  [-92.985, 41.502],
];
const land = [
  [`/parties/${PARTY}`, { name: 'Smoke test' }],
  [`/parties/${PARTY}/farms/${FARM}`, { name: 'Smoke test' }],
  [
    `/parties/${PARTY}/fields/${FIELD}`,
    { name: 'Smoke test', farmId: FARM, geometry: { type: 'Polygon', coordinates: [RING] } },
  ],
];

const unescaped = (text) => text.replaceAll(/\\(.)/g, (_, letter) => ({ n: '\n', r: '\r' })[letter] ?? letter);

/** `azd env get-values` prints NAME="value", with a backslash before what is special to a shell. */
export function valuesOf(text) {
  const lines = text.split('\n').map((line) => /^(\w+)="(.*)"$/.exec(line.trim()));
  return Object.fromEntries(lines.filter((line) => line !== null).map(([, name, value]) => [name, unescaped(value)]));
}

/** A secret of the test client that is good for a day and kept nowhere. */
function newSecret({ run, now }, client) {
  const end = new Date(now() + 86_400_000).toISOString().slice(0, 19);
  const what = ['--display-name', 'smoke', '--end-date', `${end}Z`, '--query', 'password', '--output', 'tsv'];
  return run('az', ['ad', 'app', 'credential', 'reset', '--append', '--id', client, ...what]);
}

const rolesIn = (token) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).roles ?? [];

/**
 * A new secret, and a new role, work after some seconds, up to a few minutes.
 *
 * @returns undefined when the test client has no role: whole jobs are not proved then
 */
async function tokenOf(ports) {
  const { TEST_CLIENT_ID: client, TOKEN_AUDIENCE: audience, AZURE_TENANT_ID: tenant } = ports.env;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client,
    client_secret: newSecret(ports, client),
    scope: `api://${audience}/.default`,
  });
  const address = `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`;
  const ask = async () => {
    const answer = await ports.fetch(address, { method: 'POST', body: form });
    const { access_token: token, error_description: fault } = await answer.json();
    if (token === undefined) throw new Error(`Entra gave the test client no token: ${fault}`);
    if (rolesIn(token).length === 0) throw new Error('no role');
    return token;
  };
  const passes = ({ message }) => /AADSTS(7000215|700016|7000222|501051|1003031)|^no role$/.test(message);
  const patience = { passes, minutes: 5, seconds: 10, waitingFor: 'A token of the test client' };
  return withPatience(ports, ask, patience).catch((error) => {
    if (!/AADSTS501051|^no role$/.test(error.cause?.message)) throw error;
    ports.warn(
      'The test client has no role, so no job is proved: an administrator gives it (docs/operations/deploy.md).',
    );
    return undefined;
  });
}

/** The party, farm and field that whole jobs are done for; a new tenant is served after a minute. */
async function ensureLand(ports, baseUrl, token) {
  for (const [path, body] of land) {
    const write = async () => {
      const answer = await ports.fetch(`${baseUrl}${path}?api-version=2023-11-01-preview`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`PATCH ${path}: ${answer.status} ${await answer.text()}`);
    };
    const passes = ({ message }) => /: (401|403|429|5\d\d) /.test(message) || message === 'fetch failed';
    await withPatience(ports, write, { passes, minutes: 5, seconds: 10, waitingFor: `PATCH ${path}` });
  }
}

/** What the smoke test takes from its environment. */
export async function targetOfAzd(given) {
  const values = valuesOf(given.run('azd', ['env', 'get-values']));
  const ports = withVariables(given, values);
  const baseUrl = values.AZURE_BASE_URL;
  const token = await tokenOf(ports);
  if (token === undefined) return { baseUrl, env: {} };
  await ensureLand(ports, baseUrl, token);
  // Only with it does the tenant have public images, which a boundary needs.
  const boundary = values.PUBLIC_IMAGERY === 'true' ? { FARM_ID: FARM, POINT: '-92.982,41.5045' } : {};
  return { baseUrl, env: { TOKEN: token, PARTY_ID: PARTY, FIELD_ID: FIELD, ...boundary } };
}

async function smoke(args) {
  if (!args.includes('--azd')) return;
  const { baseUrl, env } = await targetOfAzd(realPorts);
  Object.assign(process.env, env);
  process.argv = [...process.argv.slice(0, 2), baseUrl, ...args.filter((arg) => arg !== '--azd')];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await smoke(process.argv.slice(2)).then(
    () => import(pathToFileURL('build/local/smoke.mjs').href),
    (error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
}
