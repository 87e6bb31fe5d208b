// The Python package against a service of its own, `npm run test:python`: with `requests` alone, then with whatever else is
// installed. `-- --offline` runs what needs neither service nor build. PYTHON names another python3.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const python = process.env.PYTHON ?? 'python3';
const isOffline = process.argv.includes('--offline');
const folder = fileURLToPath(new URL('.', import.meta.url));
const client = fileURLToPath(new URL('../../../clients/python/', import.meta.url));
const WITHOUT = 'pandas geopandas rasterio';

const run = (arguments_, variables, stdio) =>
  spawnSync(python, ['-B', ...arguments_], {
    cwd: folder,
    env: { ...process.env, PYTHONPATH: client, ...variables },
    stdio,
  }).status;

/** @returns whether all tests passed */
function passes(variables) {
  console.log(`\nPython package, ${variables.WITHOUT ? `without ${variables.WITHOUT}` : 'with what is installed'}:`);
  return run(['-m', 'unittest', 'discover'], variables, 'inherit') === 0;
}

async function main() {
  if (run(['-c', 'import requests'], {}, 'ignore') !== 0) {
    console.log(
      `Skipped the Python package: ${python} is not there, or has no "requests" (apt install python3-requests).`,
    );
    return true;
  }
  if (isOffline) return passes({ WITHOUT });
  const { startWith } = await import('../../contract/startService.mjs');
  const { default: stopService } = await import('../../contract/stopService.mjs');
  await startWith(({ baseUrl }) => ({ PUBLIC_URL: baseUrl }));
  try {
    return [{ WITHOUT }, { WITHOUT: '' }].map(passes).every(Boolean);
  } finally {
    await stopService();
  }
}

process.exitCode = (await main()) ? 0 : 1;
