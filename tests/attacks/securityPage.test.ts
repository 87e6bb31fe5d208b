import { expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const page = readFileSync('SECURITY.md', 'utf8');
const experiments = readdirSync('tests/faults/experiments').map((name) => Number(/^e(\d\d)-/.exec(name)?.[1]));

test('every test and experiment that SECURITY.md names is there', () => {
  const named = [...page.matchAll(/`([a-zA-Z]+\/[a-zA-Z.*]+)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(30);
  const missing = named.filter(
    (name) => !existsSync(`tests/${name}.test.ts`) && !existsSync(`tests/${name.replace('/*', '')}`),
  );
  expect(missing.filter((name) => name !== 'tests/attacks' && name !== 'tests/contract')).toEqual([]);
  for (const [, number] of page.matchAll(/\bE(\d+)\b/g)) expect(experiments).toContain(Number(number));
});
