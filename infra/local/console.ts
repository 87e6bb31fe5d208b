// `npm run console`: prints a new address that signs in to the console of the running service, once.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { newCode } from './console/codes.js';
import { consoleAddress } from './console/consoleAddress.js';
import { serviceFileIn, type ServiceFile } from './serviceFile.js';

const directory = resolve(process.env['LOCAL_DIR'] ?? '.local');
if (existsSync(serviceFileIn(directory))) {
  const { baseUrl } = JSON.parse(readFileSync(serviceFileIn(directory), 'utf8')) as ServiceFile;
  console.log(consoleAddress(baseUrl, newCode(directory, new Date())));
} else {
  console.error(`No service runs on ${directory}: start it (npm start), or name its LOCAL_DIR.`);
  process.exitCode = 1;
}
