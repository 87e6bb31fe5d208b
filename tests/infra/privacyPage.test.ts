import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { settings } from '../../shared/wiring/settings/config.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/operations/privacy.md'), 'utf8');
const HOST = /\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b/g;
const hostsIn = (text: string): readonly string[] => [...text.matchAll(HOST)].map(([host]) => host);

/** Accounts of the service itself, and names made up for examples. */
const isOwn = (host: string): boolean =>
  /^field\w+\.\w+\.core\.windows\.net$/.test(host) || /\bcontoso\.com$/.test(host);
/** Settings that name the service itself, and not whom it asks. */
const OF_ITSELF = new Set(['PUBLIC_URL', 'CANARY', 'CONSOLE_BLOB_ENDPOINT', 'JWT_AUDIENCE']);

/** The outside hosts of the settings, of defaults and of examples, with what names them. */
function outsideHosts(
  given: Readonly<Record<string, { example: string; fallback?: string }>>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, { example, fallback = '' }] of Object.entries(given)) {
    if (OF_ITSELF.has(name)) continue;
    // Of a list or an address: what else has dots is no host.
    for (const text of `${fallback},${example}`.split(',')) {
      const address = /^(?:https:\/\/)?([^/]+)/.exec(text.trim())?.[1] ?? '';
      for (const host of hostsIn(address)) if (!isOwn(host)) found.set(host, name);
    }
  }
  return found;
}

/** The tables of the page row by row, as cells. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()));

describe('the page on privacy', () => {
  const hosts = outsideHosts(settings);
  const documented = new Set(rows.flatMap(([, , host = '']) => hostsIn(host)));

  test.each([...hosts])('has a row for %s, which %s names', (host) => {
    // A sovereign cloud's login host stands in for that of the public one.
    const known = host.replace(/\.us$/, '.com');
    expect([...documented]).toContain(known);
  });
  test('has no host that no setting names', () => {
    expect([...documented].filter((host) => !hosts.has(host))).toEqual([]);
  });
  test('names settings that exist', () => {
    const named = [...page.matchAll(/`([A-Z][A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !(name in settings))).toEqual([]);
  });
});

test('a host that a setting brings would be missed', () => {
  const added = { NEW_SOURCE_URL: { example: 'https://weather.example.org/v1', fallback: 'https://api.example.net' } };
  expect([...outsideHosts(added).keys()]).toEqual(['api.example.net', 'weather.example.org']);
});
