import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { posix } from 'node:path';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { floorBlocks, floors, inside } from './floors.mjs';

const shared = fileURLToPath(new URL('../../shared/', import.meta.url));
const linter = new Linter();
const base = {
  files: ['**/*.ts'],
  languageOptions: { parser: tseslint.parser },
  plugins: { '@typescript-eslint': tseslint.plugin },
};

/** How often the floors refuse what a file of one folder imports from another, in each of three forms. */
function refusals(from, to) {
  const module = posix.join(posix.relative(`shared/${from}`, `shared/${to}`), 'a.js');
  const named = `'${module.startsWith('.') ? module : `./${module}`}'`;
  return [`import { a } from ${named};`, `import type { A } from ${named};`, `export { a } from ${named};`].map(
    (text) => linter.verify(text, [base, ...floorBlocks()], { filename: `shared/${from}/planted.ts` }).length,
  );
}
const [refused, taken] = [
  [1, 1, 1],
  [0, 0, 0],
];

const foldersOf = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

test('every folder of shared/ is a room on one floor, and nothing lies beside them', () => {
  assert.deepEqual(floors.flat().sort(), readdirSync(shared).sort());
  assert.deepEqual(Object.keys(inside).sort(), floors.flat().sort());
});

for (const room of floors.flat()) {
  test(`every folder of ${room} that holds files stands on one of its floors`, () => {
    const within = (folder) => [
      ...(readdirSync(`${shared}${room}/${folder}`).some((name) => name.endsWith('.ts')) ? [folder] : []),
      ...foldersOf(`${shared}${room}/${folder}`).flatMap((name) => within(posix.join(folder, name))),
    ];
    assert.deepEqual(inside[room].flat().sort(), within('.').sort());
  });

  test(`a file of ${room} may not import from rooms of its floor and above, in any folder`, () => {
    const own = floors.findIndex((rooms) => rooms.includes(room));
    const [somewhere] = inside[room].flat();
    for (const [floor, rooms] of floors.entries()) {
      for (const other of rooms.filter((each) => each !== room)) {
        const expected = floor < own ? taken : refused;
        assert.deepEqual(refusals(`${room}/${somewhere}`, `${other}/deep/er`), expected, `${other} from ${room}`);
      }
    }
  });

  test(`a folder of ${room} may not import from folders of its floor and above`, () => {
    for (const [own, folders] of inside[room].entries()) {
      for (const [floor, others] of inside[room].entries()) {
        for (const folder of folders) {
          for (const other of others.filter((each) => each !== folder)) {
            const expected = floor < own ? taken : refused;
            assert.deepEqual(
              refusals(posix.join(room, folder), posix.join(room, other)),
              expected,
              `${folder} ${other}`,
            );
          }
        }
      }
    }
  });
}
