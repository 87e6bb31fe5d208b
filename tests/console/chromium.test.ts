import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { browserArguments, findChromium, nameWithoutBrowser } from '../browser/chromium.mjs';

let folder: string;
const program = (...names: readonly [string, string]): string => join(folder, ...names);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'browsers-'));
  for (const [place, name] of [
    ['one', 'google-chrome'],
    ['two', 'chromium'],
    ['other', 'my-chrome'],
  ] as const) {
    mkdirSync(join(folder, place), { recursive: true });
    writeFileSync(program(place, name), '', { mode: 0o755 });
  }
  writeFileSync(join(folder, 'one', 'chromium'), 'not a program', { mode: 0o644 });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the browser of the tests', () => {
  const machine = { platform: 'linux', arch: 'arm64' };

  test('is the one that CHROME_BIN names, whatever else is there', async () => {
    const chosen = program('other', 'my-chrome');
    const found = await findChromium({ CHROME_BIN: chosen, PATH: join(folder, 'two') }, machine);
    expect(found).toEqual({ executablePath: chosen, env: {} });
  });

  test('is never another one than CHROME_BIN names', async () => {
    const missing = program('other', 'gone');
    await expect(findChromium({ CHROME_BIN: missing, PATH: join(folder, 'two') }, machine)).rejects.toThrow(missing);
  });

  test('is an installed one by name, then by folder, that can be run', async () => {
    const PATH = [join(folder, 'one'), join(folder, 'two')].join(delimiter);
    expect((await findChromium({ PATH }, machine))?.executablePath).toBe(program('two', 'chromium'));
    expect((await findChromium({ PATH: join(folder, 'one') }, machine))?.executablePath).toBe(
      program('one', 'google-chrome'),
    );
  });

  test('is none where neither is one installed nor npm has one', async () => {
    expect(await findChromium({ PATH: join(folder, 'other') }, machine)).toBeUndefined();
    expect(await findChromium({ PATH: '' }, { platform: 'darwin', arch: 'x64' })).toBeUndefined();
  });

  test('is missed by name on a machine that has none, and never on CI', () => {
    expect(nameWithoutBrowser('the map', {})).toBe(
      'the map (no browser on this machine: install Chromium or set CHROME_BIN)',
    );
    expect(() => nameWithoutBrowser('the map', { CI: 'true' })).toThrow('CI has no browser');
  });

  test('keeps the rules of the web, or CORS would not be tested', () => {
    expect(browserArguments.filter((argument) => /web-security|single-process|site-isolation/.test(argument))).toEqual(
      [],
    );
  });
});
