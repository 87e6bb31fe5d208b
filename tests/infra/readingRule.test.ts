import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { readingRule } from '../../infra/local/azurite/readingRule.js';

const module = (name: string): string =>
  readFileSync(new URL(`../../infra/azure/modules/${name}.bicep`, import.meta.url), 'utf8');

/** The texts of a list of the rule. */
function listed(source: string, name: string): string[] {
  const list = new RegExp(`${name}: \\[([^\\]]*)\\]`).exec(source)?.[1] ?? '';
  return [...list.matchAll(/'([^']+)'/g)].map(([, text = '']) => text);
}

test('pages read pictures in Azure and on this machine by the same rule', () => {
  const account = module('storageAccount');
  for (const name of ['allowedMethods', 'allowedHeaders', 'exposedHeaders'] as const) {
    expect([name, listed(account, name)]).toEqual([name, [...readingRule[name]]]);
  }
  expect(account).toContain(`maxAgeInSeconds: ${readingRule.maxAgeInSeconds}`);
  expect(account).not.toContain("'*'");
});

test('the account of the pictures alone has that rule', () => {
  const storage = module('storage');
  const accounts = storage.split(/^module /m).filter((text) => text.includes('readingOrigins: readingOrigins'));
  expect(accounts.map((text) => text.split(' ')[0])).toEqual(['imagery']);
});
