import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports from which systems give outgoing connections theirs (Linux from 32768, others from 49152): one of
// those would take a port between now and when somebody listens on it.
const FIRST = 20_000;
const END = 32_768;
const TRIES = 50;

/** Whether nobody listens on a port of this machine. */
export async function isFree(port) {
  const server = createServer();
  const failed = once(server, 'error').then(() => false);
  server.listen(port, '127.0.0.1');
  if (!(await Promise.race([failed, once(server, 'listening').then(() => true)]))) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** A port that is free now and that no outgoing connection takes. */
export async function freePort() {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FIRST, END);
    if (await isFree(port)) return port;
  }
  throw new Error(`There is no free port on 127.0.0.1: ${TRIES} between ${FIRST} and ${END} are taken.`);
}
