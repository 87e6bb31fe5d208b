import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { breaches, floorBlocks, floors } from './floors.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const linter = new Linter();
const base = {
  files: ['**/*.ts'],
  languageOptions: { parser: tseslint.parser },
  plugins: { '@typescript-eslint': tseslint.plugin },
};

/** What the floors say of a source. @param blocks those of the linter, or others */
const saidOf = (filename, text, blocks = floorBlocks()) =>
  linter.verify(text, [base, ...blocks], { filename }).map(({ message }) => message);

test('every folder of shared/ stands on one floor', () => {
  const folders = readdirSync(`${root}shared`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const files = ['config'];
  assert.deepEqual(floors.flat().sort(), [...files, ...folders.map(({ name }) => name)].sort());
});

for (const [floor, [folder]] of floors.entries()) {
  const above = floors[floor + 1]?.[0];
  if (above === undefined) continue;
  test(`an import from ${above} is reported in ${folder}, however it is written`, () => {
    for (const text of [
      `import { a } from '../${above}/a.js';`,
      `import type { A } from '../${above}/a.js';`,
      `export { a } from '../${above}/a.js';`,
    ]) {
      assert.equal(saidOf(`shared/${folder}/planted.ts`, text).length, 1, text);
    }
    assert.equal(saidOf(`shared/${folder}/deeper/planted.ts`, `import { a } from '../../${above}/a.js';`).length, 1);
    assert.deepEqual(saidOf(`shared/${above}/planted.ts`, `import { a } from '../${folder}/a.js';`), []);
  });
}

test('an import of the services is reported in every folder below them, and in a file right in shared/', () => {
  assert.equal(saidOf('shared/canary/planted.ts', `import type { S } from '../services.js';`).length, 1);
  assert.equal(saidOf('shared/config.ts', `import { a } from './http/a.js';`).length, 1);
  assert.deepEqual(saidOf('shared/config.ts', `import { a } from './imagery/a.js';`), []);
  assert.equal(saidOf('shared/planted.ts', `import { a } from './gdd/a.js';`).length, 1);
});

test('every file of the list still imports from a floor above: one that does no more is taken from it', () => {
  const blocks = floorBlocks().map((block) => ({ ...block, ignores: [] }));
  const done = breaches.filter((file) => saidOf(file, readFileSync(`${root}${file}`, 'utf8'), blocks).length === 0);
  assert.deepEqual(done, []);
});
