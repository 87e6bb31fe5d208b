// Builds what runs: dist/ (the deployed app) and build/local/ (the local environment). Same sources, same output
// bytes on every machine. `--if-missing` skips the work when a build exists. One command builds at a time.
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildApp, buildPrograms } from './app.mjs';
import { withLock } from './commandLock.mjs';
import { buildConsole } from './console.mjs';

process.chdir(fileURLToPath(new URL('../../', import.meta.url)));
const programs = [
  'start',
  'hostProcess',
  'azuriteProcess',
  'sceneDrawer',
  'token',
  'demo',
  'console',
  'customers',
  'farm',
  'imagery',
  'tenants',
  'jobs',
  'notices',
  'operate',
  'backup',
];

async function buildAll() {
  console.error('Building …');
  await buildPrograms('build/local', [
    ...programs.map((name) => `infra/local/${name}.ts`),
    'tools/smoke/smoke.ts',
    'infra/build/functionManifest.ts',
    'infra/build/openApi.ts',
    'infra/build/loadTime.ts',
  ]);
  // What is in the bundle: the package's notices are made from it.
  writeFileSync('build/bundle.meta.json', JSON.stringify(await buildApp('dist')));
  await buildConsole();
}

const isBuilt = existsSync('dist/main.mjs') && existsSync('build/local/start.mjs');
if (!(isBuilt && process.argv.includes('--if-missing'))) await withLock('build/lock', 'building', buildAll);
