import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type BrowserServer,
  type Locator,
  type Page,
} from 'playwright-core';
import { service } from '../contract/service.js';
import { browserArguments, findChromium, nameWithoutBrowser } from './chromium.mjs';

/** No test takes longer, on a busy machine either; a browser that hangs is not waited for. */
export const LIMIT_MS = 180_000;
/** What one step may take. */
const STEP_MS = 60_000;
/** Between looks at what is not there yet. */
const LOOK_MS = 50;
const CLOSE_MS = 5_000;
/** What a browser itself writes into its console, with the whole address: no page can keep it from that. */
const REFUSED_BY_CORS = "Access to fetch at '";
/** More than any view has to offer. */
const MOST_TABS = 80;

const found = await findChromium();
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser | undefined;
let server: BrowserServer | undefined;

/** Tests that need a browser; without one they are skipped by name, but never on CI. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (found === undefined) {
    describe.skip(nameWithoutBrowser(name), tests);
    return;
  }
  describe(name, () => {
    beforeAll(async () => {
      server = await chromium.launchServer({
        executablePath: found.executablePath,
        env: { ...process.env, ...found.env },
        args: [...browserArguments],
      });
      browser = await chromium.connect(server.wsEndpoint());
    }, LIMIT_MS);
    afterAll(async () => {
      // A browser that doesn't end by itself is ended by its id.
      const closed = browser?.close().then(() => server?.close());
      const limit = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([closed, limit]);
      const pid = server?.process().pid;
      if (pid !== undefined) endProcess(pid);
    }, LIMIT_MS);
    tests();
  });
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Who is signed in. */
export interface Session {
  readonly apiKey: string;
  readonly token?: string;
  readonly farm?: object;
}

/** How a page is opened. */
export interface PageOptions {
  readonly session?: Session;
  readonly theme?: 'light' | 'dark';
  readonly isPhone?: boolean;
  /** Of the window, CSS pixels. */
  readonly size?: { readonly width: number; readonly height: number };
  /** What follows `/console/`. */
  readonly at?: string;
  /** Where the console is; the service itself when absent. */
  readonly origin?: string;
  /** True to take the certificate of a stand-in, which no browser knows. */
  readonly trustsAll?: boolean;
  /** Called before the page is there, as for answers to its first calls. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>;
}

/** A page of the console, and everything that it did which nobody sees. */
export interface ConsolePage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Addresses of all requests, with the Referer where one was sent. */
  readonly requests: { readonly url: string; readonly referer: string | undefined }[];
  /** What the page has written to the log, and what it has thrown. */
  readonly log: string[];
  /** Breaches of the page's own policy. */
  readonly violations: string[];
  /** What no address, no Referer and no line of the log may hold. */
  readonly secrets: string[];
}

const opened: ConsolePage[] = [];

const contextOptions = ({
  theme = 'light',
  isPhone = false,
  size,
  trustsAll = false,
}: PageOptions): BrowserContextOptions => ({
  viewport: size ?? (isPhone ? { width: 390, height: 844 } : { width: 1440, height: 900 }),
  ...(isPhone ? { hasTouch: true, deviceScaleFactor: 2 } : {}),
  colorScheme: theme,
  locale: 'en-GB',
  reducedMotion: 'reduce',
  acceptDownloads: true,
  ignoreHTTPSErrors: trustsAll,
});

/** Opens the console, signed in when there is a session. */
export async function openConsole(options: PageOptions = {}): Promise<ConsolePage> {
  const { session, at = '', origin = service.baseUrl, prepare } = options;
  if (browser === undefined) throw new Error('No browser is running.');
  const context = await browser.newContext(contextOptions(options));
  context.setDefaultTimeout(STEP_MS);
  await context.exposeFunction('noteViolation', (text: string) => made.violations.push(text));
  await context.addInitScript((given) => {
    if (given !== null && sessionStorage.getItem('field-console') === null) {
      sessionStorage.setItem('field-console', JSON.stringify(given));
    }
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      const { noteViolation } = globalThis as unknown as { noteViolation: (text: string) => void };
      noteViolation(`${violatedDirective} ${blockedURI} ${sample}`);
    });
  }, session ?? null);
  await prepare?.(context);
  const page = await context.newPage();
  const made: ConsolePage = { page, context, requests: [], log: [], violations: [], secrets: secretsOf(session) };
  page.on('request', (request) => {
    made.requests.push({ url: request.url(), referer: request.headers()['referer'] });
  });
  page.on('console', (message) => made.log.push(message.text()));
  page.on('pageerror', (error) => made.log.push(`thrown: ${error.message}`));
  await page.goto(`${origin}/console/${at}`);
  opened.push(made);
  return made;
}

const secretsOf = (session: Session | undefined): string[] => [
  service.apiKey,
  service.jwt,
  ...[session?.apiKey, session?.token].filter((secret) => secret !== undefined),
];

/** Ends all pages of a test, after a look at what none of them may have done. */
export async function closeConsoles(): Promise<void> {
  const all = opened.splice(0);
  await Promise.all(
    all.map(async ({ context }) => {
      // An answer that a test would still have changed is no longer wanted.
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    }),
  );
  for (const { violations, log, requests, secrets } of all) {
    expect(violations).toEqual([]);
    expect(log.filter((line) => line.startsWith('thrown: '))).toEqual([]);
    for (const secret of secrets) {
      expect(requests.filter(({ url, referer = '' }) => `${url} ${referer}`.includes(secret))).toEqual([]);
      expect(log.filter((line) => line.includes(secret))).toEqual([]);
    }
    expect(requests.filter(({ referer = '' }) => referer !== '')).toEqual([]);
    expect(log.filter((line) => line.includes('sig=') && !line.startsWith(REFUSED_BY_CORS))).toEqual([]);
    // A signature goes to storage alone.
    const own = requests.filter(({ url }) => url.startsWith(service.baseUrl) && url.includes('sig='));
    expect(own).toEqual([]);
  }
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** What axe finds: WCAG 2.0 to 2.2, A and AA, and best practice. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  // Styles that have just changed are there with the next frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  // The page's policy lets no foreign script in; the browser itself may run one.
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResult> } };
    return axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      resultTypes: ['violations'],
    });
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

/**
 * Looks again and again until all that is expected holds: what follows from a step comes when the page has drawn it,
 * however busy the machine. At the end of its time the last failure is the test's.
 *
 * @param look steps and expectations that may be repeated
 */
export async function eventually<T>(look: () => Promise<T> | T): Promise<T> {
  const deadline = Date.now() + STEP_MS;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}

/** Goes on by the Tab key until something has the focus: what no key reaches fails. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let steps = 0; steps < MOST_TABS; steps += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${MOST_TABS} times Tab do not lead to ${String(wanted)}.`);
}

/** Pixels by which a page is wider than its window. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
