// Makes dist/package.zip, the file that is deployed: the bundle, each worker entry, what is read at run time, and who
// wrote what. The same sources give the same bytes, whenever and wherever it is made. `build/app` gets the same files
// unpacked, for azd; `dist/functions.json` the names of the functions, which a release waits for.
import { zipSync } from 'fflate';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { consoleFiles } from './console.mjs';
import { bundledPackages, sbomOf, noticesOf } from './notices.mjs';

const MAX_BYTES = 6 * 1024 * 1024;
/** What records and sends telemetry, unpacked: a cold start of an instance that has it reads and parses this too. */
const MAX_TELEMETRY_BYTES = 2 * 1024 * 1024;
process.chdir(fileURLToPath(new URL('../../', import.meta.url)));

const { name, version, license, type, main } = JSON.parse(readFileSync('package.json', 'utf8'));
const packages = bundledPackages();
const files = {
  'host.json': readFileSync('host.json'),
  // No dependencies: everything is in the bundle, so nothing is installed on the platform.
  'package.json': json({ name, version, license, type, main, private: true }),
  'THIRD-PARTY-NOTICES.txt': Buffer.from(noticesOf(packages)),
  'sbom.cdx.json': json(sbomOf({ name, version, license }, packages)),
  LICENSE: readFileSync('LICENSE'),
};
for (const file of readdirSync('dist')
  .filter((file) => /\.mjs(\.map)?$/.test(file))
  .sort()) {
  files[`dist/${file}`] = readFileSync(`dist/${file}`);
}
for (const file of readdirSync('dist/assets').sort())
  files[`dist/assets/${file}`] = readFileSync(`dist/assets/${file}`);
for (const file of consoleFiles()) files[`dist/console/${file}`] = readFileSync(`dist/console/${file}`);

// The oldest instant a zip can hold, in the local fields that the format stores.
const zip = zipSync(files, { level: 9, mtime: new Date(1980, 0, 1), os: 3, attrs: 0o644 << 16 });
writeFileSync('dist/package.zip', zip);
rmSync('build/app', { recursive: true, force: true });
for (const [name, bytes] of Object.entries(files)) {
  mkdirSync(dirname(join('build/app', name)), { recursive: true });
  writeFileSync(join('build/app', name), bytes);
}
const { functionManifest } = await import(pathToFileURL('build/local/functionManifest.mjs').href);
const names = Object.values(functionManifest).flatMap((functions) => functions.map(({ name }) => name));
writeFileSync('dist/functions.json', json(names));

const sha256 = createHash('sha256').update(zip).digest('hex');
console.log(`dist/package.zip: ${Object.keys(files).length} files, ${zip.byteLength} bytes, sha256 ${sha256}`);
if (existsSync('build/local/loadTime.mjs')) {
  const { stdout } = spawnSync(process.execPath, ['build/local/loadTime.mjs', 'dist/main.mjs'], { encoding: 'utf8' });
  console.log(stdout.trim());
}
const telemetryBytes = Object.entries(files)
  .filter(([file]) => /elemetry\w*\.mjs$/.test(file))
  .reduce((sum, [, { byteLength }]) => sum + byteLength, 0);
for (const { what, bytes, most } of [
  { what: 'The package', bytes: zip.byteLength, most: MAX_BYTES },
  { what: 'Telemetry', bytes: telemetryBytes, most: MAX_TELEMETRY_BYTES },
]) {
  if (bytes <= most) continue;
  console.error(
    `${what} has ${bytes} bytes, at most ${most} are allowed: look at build/bundle.meta.json for what came in.`,
  );
  process.exitCode = 1;
}

function json(value) {
  return Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
}
