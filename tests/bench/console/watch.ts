import type { CDPSession, Page } from 'playwright-core';

/** Milliseconds between frames, longest first. */
export type Frames = readonly number[];

/** What the page's own thread did. */
export interface Work {
  /** The task of the page's own thread that took the processor longest, and how long it was under way altogether. */
  readonly task: { readonly ownMs: number; readonly allMs: number };
  /** The processor's time of that thread for everything. */
  readonly ownMs: number;
}

/** What the page did while it was watched. */
export interface Watched extends Work {
  readonly frames: Frames;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ph: string;
  /** Microseconds, by the clock and on the processor. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Notes the time between frames until it is asked for. */
async function watchFrames(page: Page): Promise<() => Promise<Frames>> {
  await page.evaluate(() => {
    const noted = globalThis as unknown as { frames: number[]; isWatched: boolean };
    [noted.frames, noted.isWatched] = [[], true];
    let last = performance.now();
    const next = (now: number): void => {
      noted.frames.push(now - last);
      last = now;
      if (noted.isWatched) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  return async () => {
    const frames = await page.evaluate(() => {
      const noted = globalThis as unknown as { frames: number[]; isWatched: boolean };
      noted.isWatched = false;
      return noted.frames;
    });
    return frames.sort((a, b) => b - a);
  };
}

const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
const ownTime = ({ tdur = 0 }: TraceEvent): number => tdur;

/** The work of the thread that runs the page: the busiest of its kind. */
function workOf(events: readonly TraceEvent[]): Work {
  const isPage = ({ name, args }: TraceEvent): boolean => name === 'thread_name' && args?.name === 'CrRendererMain';
  const pages = new Map(events.filter(isPage).map((event) => [threadOf(event), [] as TraceEvent[]]));
  for (const event of events) {
    if (event.ph === 'X' && event.name.endsWith('RunTask')) pages.get(threadOf(event))?.push(event);
  }
  const busy = (tasks: readonly TraceEvent[]): number => tasks.reduce((sum, task) => sum + ownTime(task), 0);
  const [tasks = []] = [...pages.values()].sort((a, b) => busy(b) - busy(a));
  const [longest] = tasks.sort((a, b) => ownTime(b) - ownTime(a));
  return {
    task: { ownMs: (longest?.tdur ?? 0) / 1000, allMs: (longest?.dur ?? 0) / 1000 },
    ownMs: busy(tasks) / 1000,
  };
}

/** What something costs the page. Its frames aren't watched: that makes the page draw frames without end, which cost too. */
export async function workFor(browser: CDPSession, act: () => Promise<void>): Promise<Work> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { readonly value: readonly object[] }): void => {
    events.push(...(value as readonly TraceEvent[]));
  };
  browser.on('Tracing.dataCollected', collect);
  await browser.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', '__metadata'] },
  });
  await act();
  const isWhole = new Promise((resolve) => {
    browser.once('Tracing.tracingComplete', resolve);
  });
  await browser.send('Tracing.end');
  await isWhole;
  browser.off('Tracing.dataCollected', collect);
  return workOf(events);
}

/** Watches a page while something is done with it. */
export async function watched(page: Page, browser: CDPSession, act: () => Promise<void>): Promise<Watched> {
  let frames: Frames = [];
  const work = await workFor(browser, async () => {
    const end = await watchFrames(page);
    await act();
    frames = await end();
  });
  return { frames, ...work };
}
