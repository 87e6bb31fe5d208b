// Takes the picture of README: `npm run console:picture -- "$(npm run -s console)"` with a service running. The farm
// and its scenes are synthetic.
import { chromium } from 'playwright-core';
import { browserArguments, findChromium } from './chromium.mjs';

const OUT = 'docs/pictures/console.png';
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
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
page.setDefaultTimeout(LIMIT_MS);
await page.goto(address);
await page.getByText('North Forty').first().click();
// The fields of the newest day have their pictures, and the curve of the chosen one stands.
await page.getByRole('button', { name: /^Picture [1-9]/ }).waitFor();
await page.locator('.map[data-view][aria-busy="false"]').waitFor();
await page.locator('.curve path, svg path').first().waitFor();
await page.waitForLoadState('networkidle');
await page.screenshot({ path: OUT });
await browser.close();
console.log(`${OUT} is drawn.`);
