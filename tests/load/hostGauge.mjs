// Loaded into a functions host by a load run or a soak: writes down, four times a second, how late its event loop is at
// most, its memory and its open handles. With HOST_GAUGE_GC also what it holds after a full collection, every ten
// seconds: memory that is not collected yet is no leak.
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const EVERY_MS = 250;
const COLLECT_EVERY_MS = 10_000;
const file = process.env.HOST_GAUGE_FILE;

if (file !== undefined && process.argv[1]?.endsWith('hostProcess.mjs')) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  setInterval(() => {
    const max = delay.max / 1e6;
    delay.reset();
    const rssMb = process.memoryUsage.rss() / 2 ** 20;
    const handles = process.getActiveResourcesInfo().length;
    appendFileSync(file, `${JSON.stringify({ at: Date.now(), pid: process.pid, max, rssMb, handles })}\n`);
  }, EVERY_MS).unref();
  if (process.env.HOST_GAUGE_GC !== undefined) {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc');
    setInterval(() => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      const liveMb = (heapUsed + external) / 2 ** 20;
      appendFileSync(file, `${JSON.stringify({ at: Date.now(), pid: process.pid, liveMb })}\n`);
    }, COLLECT_EVERY_MS).unref();
  }
}
