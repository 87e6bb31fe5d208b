// Loaded into a functions host by a load run or a soak: writes down, four times a second, how late its event loop is at
// most, its memory and its open handles.
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const EVERY_MS = 250;
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
}
