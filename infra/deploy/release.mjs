// One release to one environment: node infra/deploy/release.mjs --package <folder> --commit <sha> [options]
// A pause, infrastructure where it changes, the code, proof that it is there and works; else the package before goes back.
//   --infrastructure changed|always|never   whether it is deployed; always also takes back what was changed by hand
//   --stay            the package stays whatever the proof says: for one that a person has chosen, the way back above all
//   --without-pause   asks for no pause; one that is refused or not answered holds nothing up anyway
// SETTINGS is JSON with the variables of the environment: those that its parameter file reads, AZURE_RESOURCE_GROUP, SIZE,
// UPDATE_STRATEGY and SMOKE_*. Runs in the checkout of the commit that is released.
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { awaitReady, failingBefore, releaseCode, smokeVariables } from './codeOfRelease.mjs';
import { isServing } from './firstDeployment.mjs';
import { applyInfrastructure, variablesRead } from './infrastructure.mjs';
import { awaitPause, endPause, operatorApi, startPause } from './operatorApi.mjs';
import { findOutputs, outputsOf } from './outputs.mjs';
import { runAsProgram } from './ports.mjs';
import { none } from './remembered.mjs';
import { signedIn } from './signIn.mjs';
import { requireVersions } from './versions.mjs';

const required = ['AZURE_RESOURCE_GROUP', 'SIZE', 'TOKEN_AUDIENCE', 'ALERT_EMAILS'];

/** Variables of the environment that this program knows; a missing one is named. */
export function settingsOf(text) {
  const given = JSON.parse(text || '{}');
  const missing = required.filter((name) => !given[name]);
  if (missing.length > 0) throw new Error(`Variables of the environment are empty: ${missing.join(', ')}.`);
  if (given.PUBLIC_URL && given.PUBLIC_URL !== none && new URL(given.PUBLIC_URL).origin !== given.PUBLIC_URL) {
    throw new Error(`PUBLIC_URL is ${given.PUBLIC_URL}; it must be https://, a host, and nothing behind it.`);
  }
  if (given.FRONT_DOOR_ID && !given.PUBLIC_URL) {
    throw new Error(
      'FRONT_DOOR_ID closes the address of the app itself, so PUBLIC_URL must name the one that is left.',
    );
  }
  const known = [...required, 'UPDATE_STRATEGY', ...smokeVariables, ...variablesRead(given.SIZE)];
  const isSet = (name) => given[name] && given[name] !== none;
  return Object.fromEntries([...new Set(known)].filter(isSet).map((name) => [name, given[name]]));
}

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

/** The pause of one release; where the service is asked may change with the infrastructure. */
function pauseOf(ports, { commit, session }) {
  const reason = `Release of ${commit.slice(0, 12)}`;
  const api = (url) => operatorApi(ports, { url, token: session.token });
  let begun = 'none';
  return {
    start: async (url) => {
      begun = await startPause(ports, api(url), reason);
      if (begun === 'begun') await awaitPause(ports, api(url));
    },
    end: async (url) => {
      if (begun !== 'none') await endPause(ports, api(url), reason);
      begun = 'none';
    },
  };
}

/**
 * @param folder holds package.zip, functions.json and smoke.mjs of the commit
 * @param infrastructure `changed`, `always` or `never`
 * @param stays true where the package stays whatever the proof says
 * @param withoutPause true to ask for no pause
 */
export async function release(given, { folder, commit, infrastructure, stays, withoutPause }) {
  const ports = { ...given, env: { ...given.env, ...settingsOf(given.env.SETTINGS), BUILD_COMMIT: commit } };
  const { AZURE_RESOURCE_GROUP: group, SIZE: size, TOKEN_AUDIENCE: audience } = ports.env;
  requireVersions(ports, ['node', 'az']);
  let url = findOutputs(ports, group)?.baseUrl;
  const session = signedIn(ports, audience);
  const serves = url !== undefined && (await isServing(ports, url));
  const excused = serves && !stays ? failingBefore(ports, { folder, session }, url) : [];
  const pause = pauseOf(ports, { commit, session });
  try {
    if (serves && !withoutPause) await pause.start(url);
    const hasChanged = applyInfrastructure(ports, {
      group,
      size,
      commit,
      infrastructure,
      given: JSON.parse(ports.env.SETTINGS),
    });
    const place = placeOf(ports, group);
    url = place.url;
    if (infrastructure !== 'never') setUpdateStrategy(ports, place);
    if (hasChanged && serves && !stays) await awaitReady(ports, url);
    const unpause = () => pause.end(url);
    await releaseCode(ports, place, { folder, commit, excused, stays, session, unpause });
  } finally {
    if (url !== undefined) await pause.end(url);
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

const text = { type: 'string' };
const flag = { type: 'boolean', default: false };
const options = {
  ...{ package: text, commit: text, infrastructure: { ...text, default: 'changed' } },
  ...{ stay: flag, 'without-pause': flag },
};

await runAsProgram(import.meta.url, (ports, args) => {
  const { values } = parseArgs({ args, options });
  const { package: folder, commit, infrastructure, stay: stays, 'without-pause': withoutPause } = values;
  if (folder === undefined || commit === undefined) throw new Error('Name --package and --commit.');
  return release(withSummary(ports), { folder, commit, infrastructure, stays, withoutPause });
});
