import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { allBicepFiles, azureFolder, parseBicep, type BicepFile, type Node } from './bicepTree.js';
import { declared, propertiesOf, theOne } from './declarations.js';
import { isOptional } from './references.js';

const environments = ['dev', 'test', 'canary', 'prod'] as const;

/** The values of a parameter file by name. Its assignments are read as variables, which have the same form. */
async function assignmentsOf(name: string, text?: string): Promise<ReadonlyMap<string, Node>> {
  const source = text ?? readFileSync(join(azureFolder, `${name}.bicepparam`), 'utf8');
  const asVariables = source.replace(/^using 'main\.bicep'$/m, '').replaceAll(/^param (\w+) = /gm, 'var $1 = ');
  const file = await parseBicep(`${name}.bicepparam`, asVariables);
  if (file.root.hasError) throw new Error(`${name}.bicepparam is not understood.`);
  return new Map(declared(file, 'variable').map((declaration) => [declaration.name, declaration.rest[0]!]));
}

let files: readonly BicepFile[] = [];
let values = new Map<string, ReadonlyMap<string, Node>>();
beforeAll(async () => {
  files = await allBicepFiles();
  values = new Map(await Promise.all(environments.map(async (name) => [name, await assignmentsOf(name)] as const)));
});
const valuesOf = (environment: string): ReadonlyMap<string, Node> => values.get(environment)!;

/** Members of a type of parameters.bicep or functionApp.bicep. */
function membersOf(type: string): readonly string[] {
  const file = files.find((candidate) =>
    declared(candidate, 'type').some(({ name, decorators }) => name === type && decorators.includes('export')),
  );
  return [...propertiesOf(theOne(file!, 'type', type).rest[0]!).keys()];
}

describe.each(environments)('%s.bicepparam', (environment) => {
  const source = readFileSync(join(azureFolder, `${environment}.bicepparam`), 'utf8');

  test('is for main.bicep', () => {
    expect(source.startsWith("using 'main.bicep'\n")).toBe(true);
  });
  test('is for its own environment', () => {
    expect(valuesOf(environment).get('environmentName')?.text).toBe(`'${environment}'`);
  });
  test('gives every parameter that has no default, and none that does not exist', () => {
    const parameters = declared(files[0]!, 'parameter');
    const given = [...valuesOf(environment).keys()];
    expect(given.filter((name) => !parameters.some((parameter) => parameter.name === name))).toEqual([]);
    const wanted = parameters.filter((parameter) => !isOptional(parameter)).map(({ name }) => name);
    expect(wanted.filter((name) => !given.includes(name))).toEqual([]);
  });
  test.each([
    ['scale', 'Scale'],
    ['network', 'Network'],
    ['retention', 'Retention'],
    ['alertTargets', 'AlertTargets'],
    ['callers', 'Callers'],
  ])('gives %s every member of %s, and no other', (parameter, type) => {
    expect([...propertiesOf(valuesOf(environment).get(parameter)!).keys()].sort()).toEqual([...membersOf(type)].sort());
  });
  test('is built without any variable of the environment: each that it reads has a default', () => {
    const reads = [...source.matchAll(/readEnvironmentVariable\(/g)];
    const withDefault = [...source.matchAll(/readEnvironmentVariable\('[A-Z_]+', '[^']*'\)/g)];
    expect(reads.length).toBeGreaterThan(0);
    expect(withDefault).toHaveLength(reads.length);
  });
  test('holds no secret', () => {
    expect(source).not.toMatch(/secret|password|@secure|sig=|AccountKey/i);
  });
});

describe('the environments', () => {
  test('differ in scale, network, retention and alert targets only', () => {
    const differing = [...valuesOf('prod').keys()].filter(
      (name) => new Set(environments.map((environment) => valuesOf(environment).get(name)?.text)).size > 1,
    );
    expect(differing.sort()).toEqual(
      ['alertTargets', 'environmentName', 'network', 'redundancy', 'retention', 'scale'].sort(),
    );
  });
  test.each([
    { parameter: 'redundancy', expected: "'Standard_ZRS'" },
    { parameter: 'scale', member: 'zoneRedundant', expected: 'true' },
    { parameter: 'network', member: 'private', expected: 'true' },
  ])('protect what customers rely on: prod has $parameter $member $expected', ({ parameter, member, expected }) => {
    const value = valuesOf('prod').get(parameter)!;
    expect((member === undefined ? value : propertiesOf(value).get(member)!).text).toBe(expected);
  });
  test('keep an image longer than the longest enrollment', () => {
    const days = Number(propertiesOf(valuesOf('prod').get('retention')!).get('imageryDays')!.text);
    expect(days).toBeGreaterThan(1096);
  });
});

test('a parameter file that the parser does not understand is refused', async () => {
  await expect(assignmentsOf('broken', "using 'main.bicep'\nparam a = {\n  b: \n")).rejects.toThrow('not understood');
});
