// Before `azd deploy`: a fresh identity's roles take minutes to work (azure-dev#8026), and azd does not ask again. As
// long as nothing answers at the app's address, this deploys the package itself, again and again, for 20 minutes.
import { isNotYetAllowed, runAsProgram, withPatience } from './ports.mjs';

/** Whether a version of the service answers at an address. */
export async function isServing({ fetch }, url) {
  const health = await fetch(`${url}/health`, { signal: AbortSignal.timeout(60_000) }).catch(() => undefined);
  return health?.ok === true;
}

/** One attempt to bring a package to the app. */
export const deployPackage = ({ run }, { group, app, file }) =>
  run('az', [
    ...['functionapp', 'deployment', 'source', 'config-zip', '--resource-group', group, '--name', app],
    ...['--src', file, '--build-remote', 'false', '--output', 'none'],
  ]);

export async function deployFirst(ports) {
  const { env, log } = ports;
  if (await isServing(ports, env.baseUrl)) return;
  const target = { group: env.AZURE_RESOURCE_GROUP, app: env.appName, file: 'dist/package.zip' };
  await withPatience(ports, () => deployPackage(ports, target), {
    passes: isNotYetAllowed,
    minutes: 20,
    waitingFor: 'The roles of the new identity',
  });
  log('The first package is there.');
}

await runAsProgram(import.meta.url, deployFirst);
