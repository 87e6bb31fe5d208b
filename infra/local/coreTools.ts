import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { BadOption } from './options.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Core Tools are not on this machine. */
export class CoreToolsMissing extends Error {}

const howToInstall = `Azure Functions Core Tools were not found: neither FUNC names them nor is "func" on the PATH.
Install version 4, for instance with
  npm install --global azure-functions-core-tools@4 --unsafe-perm true
or as https://learn.microsoft.com/azure/azure-functions/functions-run-local describes, then run "npm run start:func"
again. "npm start" serves the same build without them.`;

const withoutExec = `FUNC begins with "exec". Leave "exec" out: "npm run start:func" puts it before the command itself, so that the
command takes the place of the shell that runs it, and "exec exec …" names no program.`;

/**
 * The shell command of Core Tools: FUNC if set (a path or a command line), else func on the PATH.
 *
 * @throws BadOption for a command line that begins with `exec`, CoreToolsMissing when there is none
 */
export function coreToolsCommand(environment: Variables): string {
  const given = environment['FUNC'];
  if (/^\s*exec(\s|$)/.test(given ?? '')) throw new BadOption(withoutExec);
  if (given !== undefined && given !== '') return existsSync(given) ? `"${given}"` : given;
  const names = process.platform === 'win32' ? ['func.exe', 'func.cmd'] : ['func'];
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find((file) => existsSync(file));
  if (found === undefined) throw new CoreToolsMissing(howToInstall);
  return `"${found}"`;
}

/** Where Linux distributions keep the roots; elsewhere Node's own list serves. */
const systemRoots = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/cert.pem'];

/**
 * Writes one file with the system's roots and ours: SSL_CERT_FILE, by which the .NET host trusts, replaces the
 * system's.
 *
 * @param directory LOCAL_DIR, absolute
 * @returns the file's path
 */
export function writeRoots(directory: string, environment: Variables, caFile: string): string {
  const file = [environment['SSL_CERT_FILE'] ?? '', ...systemRoots].find((path) => path !== '' && existsSync(path));
  const roots = file === undefined ? rootCertificates.join('\n') : readFileSync(file, 'utf8');
  const target = join(directory, 'certificates', 'roots.pem');
  writeFileSync(target, `${roots.trimEnd()}\n${readFileSync(caFile, 'utf8')}`);
  return target;
}
