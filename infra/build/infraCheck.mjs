// Checks infra/azure. With the Bicep CLI on the PATH: compiles and lints main.bicep and every parameter file; 0 errors
// and 0 warnings. Without it, says so. Either way the offline checks of tests/infra run.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'infra', 'azure');

/** The Bicep CLI, or undefined when there is none on the PATH. */
function bicepOnPath() {
  const names = process.platform === 'win32' ? ['bicep.exe', 'bicep.cmd'] : ['bicep'];
  const folders = (process.env.PATH ?? '').split(delimiter).filter((entry) => entry !== '');
  return folders.flatMap((entry) => names.map((name) => join(entry, name))).find((file) => existsSync(file));
}

/** Runs one command of the CLI; true when it ends well and says nothing of a warning or an error. */
function isClean(bicep, args) {
  const { status, stdout, stderr } = spawnSync(bicep, args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 << 20 });
  const said = `${stderr ?? ''}${args.includes('--stdout') ? '' : (stdout ?? '')}`;
  const isClean = status === 0 && !/: (Warning|Error) /.test(said);
  console.log(`bicep ${args.join(' ')}: ${isClean ? 'clean' : 'NOT CLEAN'}`);
  if (!isClean) console.log(said.trim());
  return isClean;
}

function checkWithBicep(bicep) {
  spawnSync(bicep, ['--version'], { stdio: 'inherit' });
  const parameterFiles = readdirSync(folder).filter((name) => name.endsWith('.bicepparam'));
  const commands = [
    ['build', 'main.bicep', '--stdout'],
    ['lint', 'main.bicep'],
    ...parameterFiles.flatMap((name) => [
      ['build-params', name, '--stdout'],
      ['lint', name],
    ]),
  ];
  return commands.map((args) => isClean(bicep, args)).every(Boolean);
}

const bicep = bicepOnPath();
if (bicep === undefined) {
  console.log('The Bicep CLI is not on the PATH: what follows are the offline checks only (syntax, names, rights).');
  console.log('With it (https://aka.ms/bicep-install) this command also compiles, type-checks and lints.');
}
const compiles = bicep === undefined || checkWithBicep(bicep);
const jest = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    '--selectProjects=unit',
    '--testPathPatterns=tests/infra/',
  ],
  { cwd: root, stdio: 'inherit' },
);
process.exit(compiles && jest.status === 0 ? 0 : 1);
