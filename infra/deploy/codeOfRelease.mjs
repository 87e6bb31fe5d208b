// The code of one release: brought, waited for, proved; and the package before, put back.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deployPackage } from './firstDeployment.mjs';
import { withPatience } from './ports.mjs';

const ofSmoke = ['PARTY_ID', 'FIELD_ID', 'FARM_ID', 'POINT'];
/** Checks of the smoke test that need more than the service: weather, scenes, a data manager. */
const wholeJobs = ['gdd', 'smart-boundary', 'imagery'];

/** Variables of an environment by which the smoke test does whole jobs. */
export const smokeVariables = ofSmoke.map((name) => `SMOKE_${name}`);

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

/** Waits until the service says that it is ready. */
export const awaitReady = (ports, url) =>
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
  // Timers of a whole app have stood still after a deployment (azure-functions-host#11828, closed since).
  await until(ports, 'A tick newer than the deployment', 5, async () => {
    const { json } = await askJson(ports, `${place.url}/ready`);
    // An older version tells none.
    if ('ready' in json && !('lastTick' in json)) return true;
    return Date.parse(json.lastTick) > servedAt || `The last one is of ${json.lastTick}`;
  });
  ports.log(`Code: the commit ${commit} serves, with ${functions.length} functions and a tick of its own.`);
}

/** The package that runs, while it can still be fetched; what stays needs none, so a fault is told and no more. */
function packageBefore({ run, log }, url, stays) {
  const args = ['tools/deploy/findPackage.mjs', '--running', url, '--into', 'previous'];
  let said = '';
  try {
    said = run('node', args);
  } catch (error) {
    if (!stays) throw error;
    log(`The package that runs could not be found: ${error.message}`);
  }
  const found = Object.fromEntries(said.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
  return found.package === undefined ? undefined : { file: found.package, commit: found.commit, hash: found.hash };
}

/** The smoke test of the package. @throws ProgramError */
function smoke({ run, env }, { folder, session }, args) {
  const given = ofSmoke.flatMap((name) => (env[`SMOKE_${name}`] ? [[name, env[`SMOKE_${name}`]]] : []));
  return run('node', [join(folder, 'smoke.mjs'), ...args], { TOKEN: session.token, ...Object.fromEntries(given) });
}

const failedIn = (said) => [...`${said}`.matchAll(/^failed +(\S+)/gm)].map(([, check]) => check);

/** Whole jobs that fail before a release already, for weather or a catalogue is away: the release can't be blamed for them. */
export function failingBefore(ports, what, url) {
  try {
    smoke(ports, what, [url]);
    return [];
  } catch (error) {
    const failing = failedIn(error.said).filter((check) => wholeJobs.includes(check));
    if (failing.length > 0) ports.log(`Proof: ${failing.join(', ')} fail before the release already, and don't count.`);
    return failing;
  }
}

function prove(ports, what, place) {
  try {
    ports.log(smoke(ports, what, [place.url, '--commit', what.commit]));
  } catch (error) {
    const failed = failedIn(error.said);
    if (failed.length === 0 || failed.some((check) => !what.excused.includes(check))) throw error;
    ports.log(`${error.said.trim()}\nProof: nothing fails that did not fail before.`);
  }
}

const functionsIn = (folder) => JSON.parse(readFileSync(join(folder, 'functions.json'), 'utf8'));

/**
 * The code, proved. When that fails: the package before, and an error; or, where it stays, an error alone.
 *
 * @param stays true for what a person has chosen by its hash: what runs before it may be what is to be put right
 * @param unpause ends the pause: the proof waits for work that is done
 */
export async function releaseCode(ports, place, { folder, commit, excused, stays, session, unpause }) {
  const before = packageBefore(ports, place.url, stays);
  const back = before === undefined ? 'nothing of ours' : `${before.commit}, package=${before.hash}`;
  ports.log(`Before this release ran ${back}: what to deploy to go back.`);
  try {
    await session.renew();
    await deployCode(ports, place, join(folder, 'package.zip'));
    await awaitCode(ports, place, { commit, functions: functionsIn(folder) });
    await unpause();
    prove(ports, { folder, commit, session, excused }, place);
  } catch (error) {
    if (stays)
      throw new Error(`${commit} stays, for it was chosen by its hash, but: ${error.message}`, { cause: error });
    if (before === undefined) throw error;
    ports.log(`The release failed, so the package before goes back: ${error.message}`);
    await session.renew();
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
