// The oldest versions of other programs that deployment takes; docs/operations/deploy.md names the same, by test.
// `node infra/deploy/versions.mjs gh` asks for those that it names.
import { runAsProgram } from './ports.mjs';

/** Each with the first version that does what is asked of it here. */
export const minimumVersions = { node: '22.0.0', az: '2.76.0', azd: '1.24.0', gh: '2.49.0' };

const ask = {
  node: ({ run }) => run('node', ['--version']).replace(/^v/, ''),
  az: ({ run }) => JSON.parse(run('az', ['version', '--output', 'json']))['azure-cli'],
  azd: ({ run }) => JSON.parse(run('azd', ['version', '--output', 'json'])).azd.version,
  gh: ({ run }) => /version ([\d.]+)/.exec(run('gh', ['--version']))?.[1] ?? '0',
};

/** @returns {boolean} whether a version is at least another; what follows the three numbers doesn't count */
function isAtLeast(version, least) {
  const [a, b] = [version, least].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  const place = a.findIndex((part, index) => part !== b[index]);
  return place === -1 || a[place] > b[place];
}

/** @throws Error that names every program that is too old or missing */
export function requireVersions(ports, names) {
  const faults = names.flatMap((name) => {
    const least = minimumVersions[name];
    try {
      const version = ask[name](ports);
      return isAtLeast(version, least) ? [] : [`${name} ${version} is too old: ${least} or newer is needed.`];
    } catch {
      return [`${name} is missing: ${least} or newer is needed.`];
    }
  });
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

await runAsProgram(import.meta.url, (ports, names) => requireVersions(ports, names));
