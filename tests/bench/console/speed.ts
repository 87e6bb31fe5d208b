// `npm run bench:console`: 275 fields with 60 dates each in a real browser. How long until the list stands, and what the
// longest frame is while somebody holds the arrow key down: five dates a second. A map with nothing on it that is moved
// about says what the browser itself needs on this machine; the time on the processor, what is the page's own. Then what
// a step to the next date costs the page until all its pictures are drawn, with 275 fields in view and with 22.
import { chromium, type CDPSession, type Page } from 'playwright-core';
import { startPages } from './server.js';
import { DATES, FIELDS } from './manyFields.js';
import { watched, workFor, type Watched } from './watch.js';
import { judge, say } from '../figures.js';

const LIST_LIMIT_MS = 1000;
const FRAME_LIMIT_MS = 100;
/** Of the page's own thread on the processor, each date. */
const STEP_LIMITS_MS = { many: 150, few: 130 } as const;
const STEPS = 10;
/** A machine that does other work too. */
const PATIENCE_MS = 180_000;
const DATES_A_SECOND = 5;

const pause = (page: Page): Promise<void> => page.waitForTimeout(1000 / DATES_A_SECOND);

function tell(what: string, { frames, task }: Watched): number {
  const longest = frames[0] ?? 0;
  const p99 = frames[Math.floor(frames.length * 0.01)] ?? 0;
  const own = `the longest task ${task.ownMs.toFixed(0)} ms on the processor (${task.allMs.toFixed(0)} ms with waiting for it)`;
  say(
    `${what}: ${frames.length} frames, 99 of 100 within ${p99.toFixed(0)} ms, the longest ${longest.toFixed(0)} ms; ${own}`,
  );
  return longest;
}

/** A map without a field, moved by its keys. */
async function measureEmptyMap(page: Page, browser: CDPSession, origin: string): Promise<void> {
  await page.goto(`${origin}/console/#/boundary`);
  await page.locator('.map[data-view]').focus();
  const seen = await watched(page, browser, async () => {
    for (let step = 0; step < DATES - 1; step += 1) {
      await page.keyboard.press(step % 20 < 10 ? 'ArrowLeft' : 'ArrowRight');
      await pause(page);
    }
  });
  tell('An empty map that is moved', seen);
}

async function measureList(page: Page, origin: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(`${origin}/console/`);
  await page
    .locator('.field-rows li')
    .nth(FIELDS.many - 1)
    .waitFor({ state: 'attached' });
  const listMs = await page.evaluate(() => performance.now());
  say(`List of ${FIELDS.many} fields: ${Math.round(listMs)} ms after the address was opened`);
  return listMs;
}

/** Told by the page, once: to look again and again would be work of the page too. */
const untilDrawn = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const isDrawn = (): boolean => document.querySelector('.map[data-view][aria-busy="false"]') !== null;
        const look = new MutationObserver(() => {
          if (!isDrawn()) return;
          look.disconnect();
          resolve();
        });
        look.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['aria-busy', 'data-view'] });
        if (isDrawn()) {
          look.disconnect();
          resolve();
        }
      }),
  );

/** The newest day of all fields is drawn, and the days have the focus. */
async function settle(page: Page): Promise<void> {
  await untilDrawn(page);
  await page.locator('.timeline button').first().waitFor();
  await page.waitForLoadState('networkidle'); // The curves of all fields come after the pictures; they are not measured.
  await page.locator('.timeline button[tabindex="0"]').focus();
}

async function measureDates(page: Page, browser: CDPSession, served: () => number): Promise<number> {
  await settle(page);
  const before = served();
  const seen = await watched(page, browser, async () => {
    for (let step = 0; step < DATES - 1; step += 1) {
      await page.keyboard.press('ArrowLeft');
      await pause(page);
    }
  });
  const each = Math.round((served() - before) / (DATES - 1));
  return tell(`${DATES - 1} dates at ${DATES_A_SECOND} a second, ${each} pictures of each read`, seen);
}

/** @returns milliseconds of the page's thread on the processor for a date, from the key until all is drawn */
async function measureSteps(page: Page, browser: CDPSession, fields: number): Promise<number> {
  await settle(page);
  await page.keyboard.press('End');
  await untilDrawn(page);
  const { ownMs } = await workFor(browser, async () => {
    for (let step = 0; step < STEPS; step += 1) {
      await page.keyboard.press('ArrowLeft');
      await pause(page);
      await untilDrawn(page);
    }
  });
  say(`A step to another date with ${fields} fields in view: ${(ownMs / STEPS).toFixed(0)} ms on the processor`);
  return ownMs / STEPS;
}

// The module finds the browser by where it lies, so it isn't bundled.
const { findChromium, browserArguments } = (await import(
  `${process.cwd()}/tests/browser/chromium.mjs`
)) as typeof import('../../browser/chromium.mjs');
const found = await findChromium();
if (found === undefined) throw new Error('This machine has no browser: install Chromium or set CHROME_BIN.');
const env = { ...process.env, ...found.env } as Record<string, string>;
const browser = await chromium.launch({ executablePath: found.executablePath, env, args: [...browserArguments] });
const session = await browser.newBrowserCDPSession();

async function opened(): Promise<Page> {
  // Bars that run while a picture is slow would make a busy machine busier.
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.addInitScript(() => {
    sessionStorage.setItem('field-console', JSON.stringify({ apiKey: 'bench' }));
  });
  return page;
}

async function measureMany(): Promise<boolean> {
  const { origin, served, close } = await startPages(FIELDS.many);
  const page = await opened();
  await measureEmptyMap(page, session, origin);
  const listMs = await measureList(page, origin);
  const longest = await measureDates(page, session, served);
  const stepMs = await measureSteps(page, session, FIELDS.many);
  close();
  await page.close();
  return listMs <= LIST_LIMIT_MS && longest <= FRAME_LIMIT_MS && stepMs <= STEP_LIMITS_MS.many;
}

async function measureFew(): Promise<boolean> {
  const { origin, close } = await startPages(FIELDS.few);
  const page = await opened();
  await page.goto(`${origin}/console/`);
  const stepMs = await measureSteps(page, session, FIELDS.few);
  close();
  await page.close();
  return stepMs <= STEP_LIMITS_MS.few;
}

const areFast = [await measureMany(), await measureFew()];
await browser.close();
const isFast = !areFast.includes(false);
say(
  isFast
    ? 'Within the limits.'
    : `Beyond the limits: ${LIST_LIMIT_MS} ms for the list, ${FRAME_LIMIT_MS} ms for a frame, ` +
        `${STEP_LIMITS_MS.many} ms for a step with ${FIELDS.many} fields, ${STEP_LIMITS_MS.few} ms with ${FIELDS.few}.`,
);
judge(isFast);
