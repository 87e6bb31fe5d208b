// What tests import as `@jest/globals` when mutants are tried: the same words, kept in a tree that can be run many times.
import { expect } from 'expect';
import { format } from 'node:util';

const newBlock = (title, parent) => ({
  title,
  parent,
  hooks: { before: [], beforeEach: [], afterEach: [], after: [] },
});

/** Tests in the order of the files: `{ id, file, block, body, tableRow }`. */
export const tests = [];
let block = newBlock('', undefined);
let file = '';
const ids = new Set();

/** Loads one test file; what it declares belongs to it. */
export async function collect(name, load) {
  file = name;
  block = newBlock(name, undefined);
  await load();
}

const titlesOf = ({ title, parent }) => (parent === undefined ? [title] : [...titlesOf(parent), title]);

/** Unique, and the same from run to run while the file stays as it is. */
function idOf(title) {
  const id = [...titlesOf(block), title].join(' › ');
  for (let number = 1; ; number += 1) {
    const unique = number === 1 ? id : `${id} (${number})`;
    if (ids.has(unique)) continue;
    ids.add(unique);
    return unique;
  }
}

function declareTest(title, body, row = []) {
  tests.push({ id: idOf(title), file, block, body: () => body(...row) });
}

function declareBlock(title, body, row = []) {
  const outer = block;
  block = newBlock(title, outer);
  try {
    body(...row);
  } finally {
    block = outer;
  }
}

/** `$name` and `$name.part` of a row that is an object, `%s` and the like of one that is a list. */
function titleOf(pattern, row) {
  const [first] = row;
  const named = pattern.replaceAll(/\$([a-zA-Z_][\w.]*)/g, (text, path) => {
    const value = path.split('.').reduce((object, key) => object?.[key], first);
    return value === undefined ? text : String(value);
  });
  const places = named.match(/%[sdifjop]/g)?.length ?? 0;
  return places === 0 ? named : format(named.replaceAll('%p', '%o'), ...row.slice(0, places));
}

const each = (declare) => (table) => (pattern, body) => {
  for (const entry of table) {
    const row = Array.isArray(entry) ? entry : [entry];
    declare(titleOf(pattern, row), body, row);
  }
};

const skip = Object.assign(() => undefined, { each: () => () => undefined });

export const test = Object.assign((title, body) => declareTest(title, body), { each: each(declareTest), skip });
export const describe = Object.assign((title, body) => declareBlock(title, body), { each: each(declareBlock), skip });
export const beforeAll = (hook) => void block.hooks.before.push(hook);
export const beforeEach = (hook) => void block.hooks.beforeEach.push(hook);
export const afterEach = (hook) => void block.hooks.afterEach.push(hook);
export const afterAll = (hook) => void block.hooks.after.push(hook);
export { expect };
