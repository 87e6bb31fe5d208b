// What tests import as `@jest/globals` when mutants are tried: the same words, kept in a tree that can be run many times.
import { expect } from 'expect';
import { format } from 'node:util';

/** By which the code finds out which test reaches it; the name is Stryker's. */
const switches = (globalThis.__stryker__ ??= {});

const newBlock = (title, parent) => ({
  title,
  parent,
  hooks: { before: [], beforeEach: [], afterEach: [], after: [] },
});

/** Tests in the order of the files: `{ id, file, block, body, outermost, index }`. */
export const tests = [];
let block = newBlock('', undefined);
let file = '';
const ids = new Set();
/** The outermost `describe` that is being read: `{ id, read, tests, cpuMs }`. */
let outermost;

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
  const test = { file, block, outermost, index: outermost?.tests.length, body: () => body(...row) };
  outermost?.tests.push(test);
  if (outermost?.isReadAgain) return;
  tests.push(Object.assign(test, { id: idOf(title) }));
}

function declareBlock(title, body, row = []) {
  const outer = block;
  const read = () => {
    block = newBlock(title, outer);
    try {
      body(...row);
    } finally {
      block = outer;
    }
  };
  if (outermost === undefined) readOutermost(title, read);
  else read();
}

/** What the code of a description reaches, its tests reach: it is noted under a name of its own. */
function readOutermost(title, read) {
  const before = process.cpuUsage();
  outermost = { id: `description of ${idOf(title)}`, read, tests: [] };
  switches.currentTestId = outermost.id;
  try {
    read();
  } finally {
    const { user, system } = process.cpuUsage(before);
    outermost.cpuMs = (user + system) / 1000;
    outermost = switches.currentTestId = undefined;
  }
}

/** The test as its description makes it now, with a mutant on: values that stand beside the tests are computed again. */
export function readAgain(test) {
  if (test.outermost === undefined) return test;
  outermost = { isReadAgain: true, tests: [] };
  try {
    test.outermost.read();
    return { ...outermost.tests[test.index], id: test.id };
  } finally {
    outermost = undefined;
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
