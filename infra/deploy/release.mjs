// One release to one environment: node infra/deploy/release.mjs --package <folder> --commit <sha> [--code-only]
// Infrastructure where it changes, a pause, the code, proof that it is there and works; else the package before goes back.
// SETTINGS is JSON with the variables of the environment: those that its parameter file reads, AZURE_RESOURCE_GROUP, SIZE,
// UPDATE_STRATEGY and SMOKE_*. Runs in the checkout of the commit that is released.
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deployPackage, isServing } from './firstDeployment.mjs';
import { applyInfrastructure, variablesRead } from './infrastructure.mjs';
import { awaitPause, endPause, operatorApi, startPause } from './operatorApi.mjs';
import { findOutputs, outputsOf } from './outputs.mjs';
import { runAsProgram, withPatience } from './ports.mjs';
import { requireVersions } from './versions.mjs';

const required = ['AZURE_RESOURCE_GROUP', 'SIZE', 'TOKEN_AUDIENCE', 'ALERT_EMAILS'];
const ofSmoke = ['PARTY_ID', 'FIELD_ID', 'FARM_ID', 'POINT'];

/** Variables of the environment that this program knows; a missing one is named. */
export function settingsOf(text) {
  const given = JSON.parse(text || '{}');
  const missing = required.filter((name) => !given[name]);
  if (missing.length > 0) throw new Error(`Variables of the environment are empty: ${missing.join(', ')}.`);
  const known = [
    ...required,
    'UPDATE_STRATEGY',
    ...ofSmoke.map((name) => `SMOKE_${name}`),
    ...variablesRead(given.SIZE),
  ];
  return Object.fromEntries([...new Set(known)].filter((name) => given[name]).map((name) => [name, given[name]]));
}

/** 403 and 503 are answers of a deployment address that isn't ready (azure/functions-action#390). */
const passesOfDeployment = (error) => /\b(403|503)\b|Forbidden|Service Unavailable/i.test(`${error.said}`);

async function deployCode(ports, { group, app }, file) {
  let attempts = 0;
  const attempt = () => {
    attempts += 1;
    return deployPackage(ports, { group, app, file });
  };
  const passes = (error) => attempts < 5 && passesOfDeployment(error);
  await withPatience(ports, attempt, { passes, minutes: 30, waitingFor: 'The deployment address' });
}

const askJson = async ({ fetch }, address) => {
  const answer = await fetch(address, { signal: AbortSignal.timeout(60_000) });
  return { status: answer.status, json: await answer.json().catch(() => ({})) };
};

/** Asks until what was looked at is as wanted. */
async function until(ports, what, minutes, look) {
  const check = async () => {
    const seen = await look().catch((error) => error.message);
    if (seen !== true) throw new Error(seen);
  };
  await withPatience(ports, check, { passes: () => true, minutes, seconds: 10, waitingFor: what });
}

const awaitReady = (ports, url) =>
  until(ports, 'The service is ready', 10, async () => {
    const { status, json } = await askJson(ports, `${url}/ready`);
    return status === 200 || `${status} ${JSON.stringify(json)}`;
  });

/** A deployment is called a success while the version before still serves, so each sign of the new one is waited for. */
async function awaitCode(ports, place, { commit, functions }) {
  const { run, now } = ports;
  const site = ['functionapp', 'show', '--resource-group', place.group, '--name', place.app];
  const id = run('az', [...site, '--query', 'id', '--output', 'tsv']);
  const uri = `https://management.azure.com${id}/syncfunctiontriggers?api-version=2024-11-01`;
  run('az', ['rest', '--method', 'post', '--uri', uri, '--output', 'none']);
  await until(ports, `The commit ${commit} at /health`, 10, async () => {
    const { json } = await askJson(ports, `${place.url}/health`);
    return (
      (typeof json.commit === 'string' && json.commit !== '' && commit.startsWith(json.commit)) ||
      `It is ${json.commit}`
    );
  });
  const servedAt = now();
  await until(ports, 'The functions are known to the platform', 10, () => {
    const list = ['functionapp', 'function', 'list', '--resource-group', place.group, '--name', place.app];
    const there = run('az', [...list, '--query', '[].name', '--output', 'tsv']).split(/\s+/);
    const missing = functions.filter((name) => !there.some((found) => found.endsWith(`/${name}`)));
    return Promise.resolve(missing.length === 0 || `${missing.join(', ')} are missing`);
  });
  // Timers of a whole app have stood still after a deployment (azure-functions-host#11828).
  await until(ports, 'A tick newer than the deployment', 5, async () => {
    const { json } = await askJson(ports, `${place.url}/ready`);
    // An older version tells none.
    if ('ready' in json && !('lastTick' in json)) return true;
    return Date.parse(json.lastTick) > servedAt || `The last one is of ${json.lastTick}`;
  });
  ports.log(`Code: the commit ${commit} serves, with ${functions.length} functions and a tick of its own.`);
}

/** The package that runs, while it can still be fetched. */
function packageBefore({ run }, url) {
  const args = ['tools/deploy/findPackage.mjs', '--running', url, '--into', 'previous'];
  const found = Object.fromEntries(
    run('node', args)
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
  return found.package === undefined ? undefined : { file: found.package, commit: found.commit, hash: found.hash };
}

function prove({ run, env, log }, { folder, commit, token }, place) {
  const given = ofSmoke.flatMap((name) => (env[`SMOKE_${name}`] ? [[name, env[`SMOKE_${name}`]]] : []));
  const variables = { TOKEN: token, ...Object.fromEntries(given) };
  log(run('node', [join(folder, 'smoke.mjs'), place.url, '--commit', commit], variables));
}

const functionsIn = (folder) => JSON.parse(readFileSync(join(folder, 'functions.json'), 'utf8'));

/**
 * The code, proved; when that fails, the package before, and an error.
 *
 * @param unpause ends the pause: the proof waits for work that is done
 */
async function releaseCode(ports, place, { folder, commit, token, unpause }) {
  const before = packageBefore(ports, place.url);
  const back = before === undefined ? 'nothing of ours' : `${before.commit}, package=${before.hash}`;
  ports.log(`Before this release ran ${back}: what to deploy to go back.`);
  try {
    await deployCode(ports, place, join(folder, 'package.zip'));
    await awaitCode(ports, place, { commit, functions: functionsIn(folder) });
    await unpause();
    prove(ports, { folder, commit, token }, place);
  } catch (error) {
    if (before === undefined) throw error;
    ports.log(`The release failed, so the package before goes back: ${error.message}`);
    await goBack(ports, place, before, error);
    throw new Error(`The package before serves again; ${commit} does not: ${error.message}`, { cause: error });
  }
}

/** What is at work then is cut off and resumed by its lease. */
async function goBack(ports, place, { file, commit }, cause) {
  try {
    await deployCode(ports, place, file);
    await awaitCode(ports, place, { commit, functions: [] });
  } catch (error) {
    throw new Error(`${cause.message} And the package before did not come back: ${error.message}`, { cause });
  }
}

/** Asked for once and first: the pipeline's own sign-in is good for minutes, the token for an hour. */
const tokenOf = ({ run }, audience) =>
  run('az', [
    ...['account', 'get-access-token', '--resource', `api://${audience}`],
    ...['--query', 'accessToken', '--output', 'tsv'],
  ]);

const placeOf = (ports, group) => {
  const { appName, baseUrl } = outputsOf(ports, group);
  return { group, app: appName, url: baseUrl };
};

/** How the platform replaces the code; Bicep has no types for it yet. */
function setUpdateStrategy({ run, env }, { group, app }) {
  if (!env.UPDATE_STRATEGY) return;
  const strategy = ['update-strategy', 'config', 'set', '--resource-group', group, '--name', app];
  run('az', ['functionapp', ...strategy, '--type', env.UPDATE_STRATEGY, '--output', 'none']);
}

/**
 * @param folder holds package.zip, functions.json and smoke.mjs of the commit
 * @param isCodeOnly true to leave the infrastructure as it is
 */
export async function release(given, { folder, commit, isCodeOnly }) {
  const ports = { ...given, env: { ...given.env, ...settingsOf(given.env.SETTINGS), BUILD_COMMIT: commit } };
  const { AZURE_RESOURCE_GROUP: group, SIZE: size, TOKEN_AUDIENCE: audience } = ports.env;
  requireVersions(ports, ['node', 'az']);
  const url = findOutputs(ports, group)?.baseUrl;
  const reason = `Release of ${commit.slice(0, 12)}`;
  const token = tokenOf(ports, audience);
  const api = (address) => operatorApi(ports, { url: address, token });
  const serves = url !== undefined && (await isServing(ports, url));
  // A pause whose answer was lost may have begun, too.
  let mayPause = serves;
  const unpause = async () => {
    if (mayPause) await endPause(ports, api(url), reason);
    mayPause = false;
  };
  try {
    if (serves) mayPause = await startPause(ports, api(url), reason);
    if (mayPause) await awaitPause(ports, api(url));
    const hasChanged = !isCodeOnly && applyInfrastructure(ports, { group, size, commit });
    const place = placeOf(ports, group);
    if (!isCodeOnly) setUpdateStrategy(ports, place);
    if (hasChanged && serves) await awaitReady(ports, url);
    await releaseCode(ports, place, { folder, commit, token, unpause });
  } finally {
    await unpause();
  }
}

/** Lines of the release go to the summary of the workflow too. */
function withSummary(ports) {
  const file = ports.env.GITHUB_STEP_SUMMARY;
  if (!file) return ports;
  const log = (line) => {
    ports.log(line);
    appendFileSync(file, `${line}\n\n`);
  };
  return { ...ports, log };
}

await runAsProgram(import.meta.url, (ports, args) => {
  const text = { type: 'string' };
  const options = { package: text, commit: text, 'code-only': { type: 'boolean', default: false } };
  const { values } = parseArgs({ args, options });
  if (values.package === undefined || values.commit === undefined) throw new Error('Name --package and --commit.');
  return release(withSummary(ports), {
    folder: values.package,
    commit: values.commit,
    isCodeOnly: values['code-only'],
  });
});
