import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ByUrl } from './operate/byUrl.js';
import { operatorArguments } from './operate/operatorArguments.js';
import { runByUrl } from './operate/runByUrl.js';
import { serviceFileIn, type ServiceFile } from './serviceFile.js';
import { settingsFileIn } from './settings.js';

/** How a command of a program is run where no service carries it out. */
type RunOnStorage = (own: readonly string[], reason: string | undefined) => Promise<unknown>;

/**
 * Runs a command of an operator: by the service that `--url` names, else on the storage that DATA_STORAGE__tableServiceUri
 * names, or else on that of the service on LOCAL_DIR; prints what comes of it as JSON.
 *
 * @param program `import.meta.url` of the command
 * @param run the command on its arguments; its errors have a text for the operator
 * @param byUrl what the service has for it; nothing when absent
 */
export async function operatorProgram(
  program: string,
  run: RunOnStorage,
  byUrl: ByUrl = () => undefined,
): Promise<void> {
  try {
    const given = operatorArguments(process.argv.slice(2));
    if (given.url === undefined && given.isDryRun) throw new Error("--dry-run is the service's: name it by --url.");
    if (given.url === undefined && restartedLocally(fileURLToPath(program))) return;
    const { url, own, reason } = given;
    const result = await (url === undefined ? run(own, reason) : runByUrl(url, given, byUrl));
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  } catch (cause) {
    process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
    process.exitCode = 1;
  }
}

/**
 * Runs the command once more with the settings of the service on LOCAL_DIR: Node takes the certificate to trust at its
 * start only, and so the command itself knows no local case.
 */
function restartedLocally(file: string): boolean {
  if ((process.env['DATA_STORAGE__tableServiceUri'] ?? '') !== '') return false;
  const directory = resolve(process.env['LOCAL_DIR'] ?? '.local');
  const [settingsFile, serviceFile] = [settingsFileIn(directory), serviceFileIn(directory)];
  if (!existsSync(settingsFile) || !existsSync(serviceFile)) {
    throw new Error(
      `No service runs on ${directory}: start it (npm start), name its LOCAL_DIR, or set DATA_STORAGE__tableServiceUri to reach Azure.`,
    );
  }
  const settings = JSON.parse(readFileSync(settingsFile, 'utf8')) as Record<string, string>;
  const { caFile } = JSON.parse(readFileSync(serviceFile, 'utf8')) as ServiceFile;
  // What `tenants import` is to import may be named anew.
  const ownTenants = process.env['TENANTS'] === undefined ? {} : { TENANTS: process.env['TENANTS'] };
  const env = { ...process.env, ...settings, ...ownTenants, NODE_EXTRA_CA_CERTS: caFile };
  const { status } = spawnSync(process.execPath, [file, ...process.argv.slice(2)], { env, stdio: 'inherit' });
  process.exitCode = status ?? 1;
  return true;
}
