import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { allBicepFiles, azureFolder, parseBicep, syntaxFaults, type BicepFile } from './bicepTree.js';
import { declarationsOf } from './declarations.js';
import { importFaults, moduleFaults, outputFaults, unknownNames, unusedNames } from './references.js';

let files: readonly BicepFile[] = [];
beforeAll(async () => {
  files = await allBicepFiles();
});

describe('the Bicep files', () => {
  test('are understood by the parser', () => {
    expect(files.flatMap(syntaxFaults)).toEqual([]);
  });
  test('declare nothing that they do not use', () => {
    expect(files.flatMap(unusedNames)).toEqual([]);
  });
  test('use no name that stands for nothing', () => {
    expect(files.flatMap(unknownNames)).toEqual([]);
  });
  test('import only what is exported', () => {
    expect(files.flatMap((file) => importFaults(file, files))).toEqual([]);
  });
  test('give each module exactly the parameters it has', () => {
    expect(files.flatMap((file) => moduleFaults(file, files))).toEqual([]);
  });
  test('read only outputs that modules have', () => {
    expect(files.flatMap((file) => outputFaults(file, files))).toEqual([]);
  });
  const all = (): string =>
    [...files.map(({ root }) => root.text), readFileSync(join(azureFolder, 'main.bicepparam'), 'utf8')].join('\n');
  test('export only what is used', () => {
    const exported = files.flatMap((file) =>
      declarationsOf(file).filter(({ decorators }) => decorators.includes('export')),
    );
    expect(exported.length).toBeGreaterThan(15);
    const uses = (name: string): number => [...all().matchAll(new RegExp(`\\b${name}\\b(?!:)`, 'g'))].length;
    expect(exported.filter(({ name }) => uses(name) < 2).map(({ name }) => name)).toEqual([]);
  });
  test('are each used: every module by another file', () => {
    const text = all();
    const unused = files.filter(
      ({ path }) => path !== 'main.bicep' && !text.includes(`${path.split('/').at(-1) ?? ''}'`),
    );
    expect(unused.map(({ path }) => path)).toEqual([]);
  });
  test.each(['#disable', '...', 'listKeys', "'br:", "'br/", "'ts:", ' any('])('do without %s', (unwanted) => {
    expect(files.filter(({ root }) => root.text.includes(unwanted)).map(({ path }) => path)).toEqual([]);
  });
  test('stay short: at most 220 lines each', () => {
    const lines = files.map(({ path, root }) => ({ path, lines: root.text.split('\n').length }));
    expect(lines.filter((file) => file.lines > 221)).toEqual([]);
  });
});

describe('the checks themselves', () => {
  const target =
    "@description('x')\nparam name string\nparam size int = 3\nparam zone string?\noutput id string = name\n";

  test('report a missing brace with its line', async () => {
    const damaged = await parseBicep('a.bicep', 'param name string\nvar x = {\n  a: name\n\noutput o string = x.a\n');
    expect(syntaxFaults(damaged).join()).toMatch(/a\.bicep:\d/);
  });
  test.each([
    { what: 'parameter', text: 'param gone string\n' },
    { what: 'variable', text: "var gone = 'x'\n" },
    { what: 'import', text: "import { gone } from 'b.bicep'\n" },
    { what: 'type', text: "type gone = 'a' | 'b'\n" },
    { what: 'existing resource', text: "resource gone 'A/b@2020-01-01' existing = {\n  name: 'x'\n}\n" },
  ])('report a $what that is not used', async ({ text }) => {
    expect(unusedNames(await parseBicep('a.bicep', text))).toEqual(['a.bicep:1: gone is not used']);
  });
  test('report a name that stands for nothing, but not one of a loop or lambda', async () => {
    const text =
      "var a = [for item in ['x']: item]\nvar b = map(a, each => '${each}-${unheard}')\noutput o string[] = b\n";
    expect(unknownNames(await parseBicep('a.bicep', text))).toEqual(['a.bicep:2: unheard is not known']);
  });
  test('report an import of what is not exported', async () => {
    const [a, b] = await Promise.all([
      parseBicep('a.bicep', "import { T } from 'b.bicep'\nparam t T\noutput o T = t\n"),
      parseBicep('b.bicep', "type T = 'a' | 'b'\nparam t T\noutput o T = t\n"),
    ]);
    expect(importFaults(a, [a, b])).toEqual(['a.bicep:1: b.bicep does not export T']);
  });
  test.each([
    { params: '', expected: ['a.bicep:1: m gets no name'] },
    { params: "name: 'x'", expected: [] },
    { params: "name: 'x', colour: 'red'", expected: ['a.bicep:1: b.bicep has no parameter colour'] },
  ])('compare { $params } with the parameters of the module', async ({ params, expected }) => {
    const [a, b] = await Promise.all([
      parseBicep('a.bicep', `module m 'b.bicep' = {\n  params: { ${params} }\n}\n`),
      parseBicep('b.bicep', target),
    ]);
    expect(moduleFaults(a, [a, b])).toEqual(expected);
  });
  test('report an output that a module does not have', async () => {
    const [a, b] = await Promise.all([
      parseBicep('a.bicep', "module m 'b.bicep' = {\n  params: { name: 'x' }\n}\noutput o string = m.outputs.ip\n"),
      parseBicep('b.bicep', target),
    ]);
    expect(outputFaults(a, [a, b])).toEqual(['a.bicep: m.outputs.ip is not there']);
  });
});
