// `npm run --silent customers -- …`: customers of area C, their keys, limits and enrollments, for operators.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCustomerCommand } from './customers/customerCommands.js';
import { operatorServices } from './customers/operatorServices.js';
import { serviceFileIn, type ServiceFile } from './serviceFile.js';
import { settingsFileIn } from './settings.js';

/**
 * Runs the command once more with the settings of the service on LOCAL_DIR: Node takes the certificate to trust at its
 * start only, and so the command itself knows no local case.
 */
function restartedLocally(): boolean {
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
  const env = { ...process.env, ...settings, NODE_EXTRA_CA_CERTS: caFile };
  const file = fileURLToPath(import.meta.url);
  const { status } = spawnSync(process.execPath, [file, ...process.argv.slice(2)], { env, stdio: 'inherit' });
  process.exitCode = status ?? 1;
  return true;
}

try {
  if (!restartedLocally()) {
    const result = await runCustomerCommand(process.argv.slice(2), () => operatorServices(process.env));
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  }
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
  process.exitCode = 1;
}
