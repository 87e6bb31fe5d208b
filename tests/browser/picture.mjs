// Takes the picture of README: `npm run console:picture -- "$(npm run -s console)"` with a service running; with one that
// has tiles (infra/local/tiles.ts) that of docs/console.md. The farm, its scenes and the tiles are synthetic.
import { chromium } from 'playwright-core';
import { browserArguments, findChromium } from './chromium.mjs';

const LIMIT_MS = 60_000;

const [address] = process.argv.slice(2);
const found = await findChromium();
if (address === undefined || found === undefined) {
  console.error(address === undefined ? 'Give the address that npm run console prints.' : 'There is no browser here.');
  process.exit(1);
}
const browser = await chromium.launch({
  executablePath: found.executablePath,
  args: browserArguments,
  env: { ...process.env, ...found.env },
});
const { tiles } = await (await fetch(new URL('/console/settings.json', address))).json();
const out = tiles === null ? 'docs/pictures/console.png' : 'docs/pictures/console-tiles.png';
const viewport = tiles === null ? { width: 1440, height: 900 } : { width: 1366, height: 768 };
const page = await browser.newPage({ viewport, colorScheme: 'light', reducedMotion: 'reduce' });
page.setDefaultTimeout(LIMIT_MS);
await page.goto(address);
await page.getByText('North Forty').first().click();
// The fields of the newest day have their pictures, and the curve of the chosen one stands.
await page.getByRole('button', { name: /^Picture [1-9]/ }).waitFor();
await page.locator('.map[data-view][aria-busy="false"]').waitFor();
await page.locator('.curve path, svg path').first().waitFor();
await page.waitForLoadState('networkidle');
await page.screenshot({ path: out });
await browser.close();
console.log(`${out} is drawn.`);
