// `npm run bench:console`: 250 fields with 60 dates each in a real browser. How long until the list stands, and what the
// longest frame is while somebody holds the arrow key down: five dates a second.
import { chromium, type Page } from 'playwright-core';
import { startPages } from './server.js';
import { DATES, FIELDS } from './manyFields.js';

const LIST_LIMIT_MS = 1000;
const FRAME_LIMIT_MS = 100;
const DATES_A_SECOND = 5;

/** Notes the time between frames from now on. */
const watchFrames = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const noted = globalThis as unknown as { frames: number[] };
    noted.frames = [];
    let last = performance.now();
    const next = (now: number): void => {
      noted.frames.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });

async function measure(page: Page, origin: string): Promise<boolean> {
  await page.addInitScript(() => {
    sessionStorage.setItem('field-console', JSON.stringify({ apiKey: 'bench' }));
  });
  await page.goto(`${origin}/console/`);
  await page
    .locator('.field-rows li')
    .nth(FIELDS - 1)
    .waitFor({ state: 'attached' });
  const listMs = await page.evaluate(() => performance.now());
  console.log(`List of ${FIELDS} fields: ${Math.round(listMs)} ms after the address was opened`);
  await page.locator('.map[data-view][aria-busy="false"]').waitFor({ state: 'attached' });
  await page.locator('.timeline button').first().waitFor();
  await page.waitForTimeout(5000); // The curves of all fields come after the pictures; they are not what is measured.
  await page.locator('.timeline button[tabindex="0"]').focus();
  await watchFrames(page);
  for (let step = 0; step < DATES - 1; step += 1) {
    await page.keyboard.press('ArrowLeft');
    await page.waitForTimeout(1000 / DATES_A_SECOND);
  }
  const frames = (await page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames)).sort(
    (a, b) => a - b,
  );
  const longest = frames.at(-1) ?? 0;
  const p99 = frames[Math.floor(frames.length * 0.99)] ?? 0;
  console.log(
    `${DATES - 1} dates at ${DATES_A_SECOND} a second: ${frames.length} frames, 99 of 100 within ${p99.toFixed(0)} ms, the longest ${longest.toFixed(0)} ms`,
  );
  return listMs <= LIST_LIMIT_MS && longest <= FRAME_LIMIT_MS;
}

// The module finds the browser by where it lies, so it isn't bundled.
const { findChromium, browserArguments } = (await import(
  `${process.cwd()}/tests/browser/chromium.mjs`
)) as typeof import('../../browser/chromium.mjs');
const found = await findChromium();
if (found === undefined) throw new Error('This machine has no browser: install Chromium or set CHROME_BIN.');
const env = { ...process.env, ...found.env } as Record<string, string>;
const browser = await chromium.launch({ executablePath: found.executablePath, env, args: [...browserArguments] });
const { origin, close } = await startPages();
const isFast = await measure(await browser.newPage({ viewport: { width: 1440, height: 900 } }), origin);
await browser.close();
close();
console.log(
  isFast
    ? 'Within the limits.'
    : `Beyond the limits: ${LIST_LIMIT_MS} ms for the list, ${FRAME_LIMIT_MS} ms for a frame.`,
);
process.exitCode = isFast ? 0 : 1;
