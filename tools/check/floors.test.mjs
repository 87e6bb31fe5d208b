import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { floorBlocks, floors } from './floors.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const linter = new Linter();
const base = {
  files: ['**/*.ts'],
  languageOptions: { parser: tseslint.parser },
  plugins: { '@typescript-eslint': tseslint.plugin },
};

/** What the floors say of a source. */
const saidOf = (filename, text) =>
  linter.verify(text, [base, ...floorBlocks()], { filename }).map(({ message }) => message);

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
  assert.equal(saidOf('shared/wiring/settings/config.ts', `import { a } from './http/a.js';`).length, 1);
  assert.deepEqual(saidOf('shared/wiring/settings/config.ts', `import { a } from './imagery/a.js';`), []);
  assert.equal(saidOf('shared/planted.ts', `import { a } from './gdd/a.js';`).length, 1);
});
