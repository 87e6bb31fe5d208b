// `npm run --silent token`: prints a bearer token for the local service, and nothing else, on standard output.
import { tokenForArguments } from './standIns/identity/tokenCommand.js';

try {
  const localDirectory = process.env['LOCAL_DIR'] ?? '.local';
  process.stdout.write(`${tokenForArguments(process.argv.slice(2), localDirectory, new Date())}\n`);
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
  process.exitCode = 1;
}
