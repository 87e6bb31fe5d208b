// Compiles, types and lints infra/azure with the Bicep CLI of the version that bicep.csproj names: no error, no warning.
// The CLI comes from NuGet by `dotnet`; without `dotnet` this says so and passes, with `--with-compiler` it fails.
// `--print <file>` compiles one parameter file and prints what Azure is sent.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const project = join(root, 'infra/build/bicep.csproj');
const isWindows = process.platform === 'win32';
const system = `${{ darwin: 'osx', win32: 'win' }[process.platform] ?? 'linux'}-${process.arch}`;
const version = /Version="\[([\d.]+)\]"/.exec(readFileSync(project, 'utf8'))?.[1];
const bicep = join(
  root,
  `.bicep/azure.bicep.commandline.${system}/${version}/tools/${isWindows ? 'bicep.exe' : 'bicep'}`,
);

/** Whether the CLI is there; restores it when it is not. */
function hasCompiler() {
  if (existsSync(bicep)) return true;
  const args = ['restore', project, `-p:System=${system}`, '--packages', join(root, '.bicep'), '--verbosity', 'quiet'];
  const env = { ...process.env, DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' };
  const { status, error, stdout, stderr } = spawnSync('dotnet', args, { env, encoding: 'utf8' });
  if (error?.code === 'ENOENT') return false;
  if (status !== 0) throw new Error(`The Bicep CLI ${version} could not be restored from NuGet:\n${stdout}${stderr}`);
  return existsSync(bicep);
}

/** The template with the parameters of each size: true when the CLI ends well and says nothing of a warning or an error. */
function isClean() {
  mkdirSync(join(root, 'build/azure'), { recursive: true });
  const runs = ['dev', 'small', 'large'].map((SIZE) => {
    const args = ['build-params', 'main.bicepparam', '--outfile', join(root, `build/azure/${SIZE}.json`)];
    return spawnSync(bicep, args, { cwd: join(root, 'infra/azure'), env: { ...process.env, SIZE }, encoding: 'utf8' });
  });
  const said = runs.map(({ stdout, stderr }) => `${stdout}${stderr}`).join('');
  const isClean = runs.every(({ status }) => status === 0) && !/: (Warning|Error) /.test(said);
  console.log(`Bicep ${version}: ${isClean ? 'compiles and lints without a finding' : `findings\n${said.trim()}`}`);
  return isClean;
}

/** Prints the template and the parameters of one parameter file, as JSON. */
function printParameters(file) {
  if (!hasCompiler()) throw new Error('The Bicep CLI wants the .NET SDK 8 or newer, which brings it from NuGet.');
  return spawnSync(bicep, ['build-params', file, '--stdout'], { stdio: 'inherit' }).status ?? 1;
}

/** @returns {boolean} false for a finding, and where there must be a compiler and is none */
export function compileBicep({ mustCompile = process.argv.includes('--with-compiler') } = {}) {
  if (hasCompiler()) return isClean();
  console.log('Bicep is not compiled: that takes the .NET SDK 8 or newer, which brings the Bicep CLI from NuGet.');
  return !mustCompile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [option, file] = process.argv.slice(2);
  process.exitCode = option === '--print' ? printParameters(file) : compileBicep() ? 0 : 1;
}
