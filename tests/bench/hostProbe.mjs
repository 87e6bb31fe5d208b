// Loaded into the functions host by the benches of submissions and stalls: writes down how long its event loop stood still,
// and how much of that time its own thread was at work; the rest it waited for a processor that others had. On SIGUSR2 the
// host collects its garbage.
import { appendFileSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const EVERY_MS = 10;
const file = process.env.HOST_PROBE_FILE;

/** Processor time of the main thread, milliseconds. */
const ownMs = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

if (file !== undefined && process.argv[1]?.endsWith('hostProcess.mjs')) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => collect());
  let at = performance.now();
  let own = ownMs();
  setInterval(() => {
    const [now, ownNow] = [performance.now(), ownMs()];
    const stall = { at: Date.now(), stallMs: now - at - EVERY_MS, ownMs: ownNow - own };
    if (stall.stallMs > 20) appendFileSync(file, `${JSON.stringify(stall)}\n`);
    [at, own] = [now, ownNow];
  }, EVERY_MS).unref();
}
