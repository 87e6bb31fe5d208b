// Before `azd deploy`: a fresh identity's roles take minutes to work (azure-dev#8026), and azd does not ask again. As
// long as nothing answers at the app's address, this deploys the package itself, again and again, for 20 minutes.
import { groupOf, outputsOf } from './outputs.mjs';
import { isNotYetAllowed, runAsProgram, withPatience } from './ports.mjs';
import { refreshReferences } from './secrets.mjs';

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
  const group = groupOf(ports);
  const { appName: app, baseUrl } = outputsOf(ports, group);
  if (await isServing(ports, baseUrl)) return;
  // Secrets may have been restored since the infrastructure was made.
  refreshReferences(ports, group, app);
  const target = { group, app, file: 'dist/package.zip' };
  await withPatience(ports, () => deployPackage(ports, target), {
    passes: isNotYetAllowed,
    minutes: 20,
    waitingFor: 'The roles of the new identity',
  });
  ports.log('The first package is there.');
}

await runAsProgram(import.meta.url, deployFirst);
