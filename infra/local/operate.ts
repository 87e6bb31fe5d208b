// `npm run --silent operate -- <command> …`: any command of the operator API, for a service that runs.
import { operatorArguments } from './operate/operatorArguments.js';
import { operateByUrl } from './operate/byUrl.js';
import { runByUrl } from './operate/runByUrl.js';

const usage = `npm run operate -- state --url <service>               what is at work, the last tick, dead letters, the drain
npm run operate -- <command> [<member>=<value> …] [--dry-run] --url <service> --reason <text>
Commands and their members: POST /operate/v1/commands in the service's /docs.
TOKEN_AUDIENCE names the audience of the service; a service on this machine needs none.`;

try {
  const given = operatorArguments(process.argv.slice(2));
  if (given.url === undefined || given.own.length === 0) throw new Error(usage);
  process.stdout.write(`${JSON.stringify(await runByUrl(given.url, given, operateByUrl), null, 2)}\n`);
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
  process.exitCode = 1;
}
