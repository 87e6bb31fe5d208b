import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { allBicepFiles, azureFolder, nodesOf, parseBicep, type BicepFile, type Node } from './bicepTree.js';
import { declared, propertiesOf, theOne } from './declarations.js';
import { isOptional } from './references.js';
import { sizes, sizeSays, type Size } from './sizes.js';

/** The values of the parameter file by name. Its assignments are read as variables, which have the same form. */
async function assignmentsOf(text: string): Promise<ReadonlyMap<string, Node>> {
  const asVariables = text.replace(/^using 'main\.bicep'$/m, '').replaceAll(/^param (\w+) = /gm, 'var $1 = ');
  const file = await parseBicep('main.bicepparam', asVariables);
  if (file.root.hasError) throw new Error('main.bicepparam is not understood.');
  return new Map(declared(file, 'variable').map((declaration) => [declaration.name, declaration.rest[0]!]));
}

const source = readFileSync(join(azureFolder, 'main.bicepparam'), 'utf8');
let files: readonly BicepFile[] = [];
let values: ReadonlyMap<string, Node> = new Map();
let table: ReadonlyMap<string, Node> = new Map();
beforeAll(async () => {
  files = await allBicepFiles();
  values = await assignmentsOf(source);
  const file = files.find(({ path }) => path === 'modules/sizes.bicep');
  table = propertiesOf(theOne(file!, 'variable', 'sizes').rest[0]!);
});

/** Members of a type of parameters.bicep. */
function membersOf(type: string): readonly string[] {
  const file = files.find((candidate) =>
    declared(candidate, 'type').some(({ name, decorators }) => name === type && decorators.includes('export')),
  );
  return [...propertiesOf(theOne(file!, 'type', type).rest[0]!).keys()];
}

/** What a parameter is for a size: its part of the table, and what the parameter file adds. */
function givenFor(size: Size, parameter: string): readonly string[] {
  const value = values.get(parameter)!;
  const added = [...nodesOf(value)].filter(({ type }) => type === 'object').slice(0, 1);
  const ofSize = value.text.includes(`sizes[size].${parameter}`)
    ? [propertiesOf(table.get(size)!).get(parameter)!]
    : [];
  return [...ofSize, ...added].flatMap((node) => [...propertiesOf(node).keys()]);
}

describe('main.bicepparam', () => {
  test('is for main.bicep', () => {
    expect(source.startsWith("using 'main.bicep'\n")).toBe(true);
  });
  test('is of a developer unless a size is named, and then never of environment dev', () => {
    expect(values.get('size')?.text).toBe("readEnvironmentVariable('SIZE', 'dev')");
    expect(values.get('environmentName')?.text).toBe("isDev ? 'dev' : readEnvironmentVariable('ENVIRONMENT', 'prod')");
  });
  test('gives every parameter that has no default, and none that does not exist', () => {
    const parameters = declared(files[0]!, 'parameter');
    const given = [...values.keys()].filter((name) => source.includes(`param ${name} = `));
    expect(given.filter((name) => !parameters.some((parameter) => parameter.name === name))).toEqual([]);
    const wanted = parameters.filter((parameter) => !isOptional(parameter)).map(({ name }) => name);
    expect(wanted.filter((name) => !given.includes(name))).toEqual([]);
  });
  describe.each(sizes)('of size %s', (size) => {
    test.each([
      ['scale', 'Scale'],
      ['network', 'Network'],
      ['retention', 'Retention'],
      ['backups', 'Backups'],
      ['labels', 'Labels'],
      ['people', 'People'],
      ['alertTargets', 'AlertTargets'],
      ['callers', 'Callers'],
      ['console', 'Console'],
    ])('gives %s every member of %s, once, and no other', (parameter, type) => {
      expect([...givenFor(size, parameter)].sort()).toEqual([...membersOf(type)].sort());
    });
  });
  test('is built without any variable of the environment: each that it reads has a default', () => {
    const reads = [...source.matchAll(/readEnvironmentVariable\(/g)];
    const withDefault = [
      ...source.matchAll(/readEnvironmentVariable\('[A-Z_]+', (?='[^']*'\)|isDev \? readEnvironmentVariable\()/g),
    ];
    expect(reads.length).toBeGreaterThan(0);
    expect(withDefault).toHaveLength(reads.length);
  });
  test('holds no secret', () => {
    expect(source).not.toMatch(/secret|password|@secure|sig=|AccountKey/i);
  });
});

describe('the sizes', () => {
  test.each([
    { size: 'large', member: 'zoneRedundant', expected: 'true' },
    { size: 'large', member: 'mode', expected: "'closed'" },
    { size: 'large', member: 'fixedOutbound', expected: 'true' },
    { size: 'large', member: 'immutableDays', expected: '30' },
    { size: 'small', member: 'zoneRedundant', expected: 'false' },
    { size: 'small', member: 'mode', expected: "'firewall'" },
    { size: 'small', member: 'immutableDays', expected: '30' },
    { size: 'dev', member: 'mode', expected: "'open'" },
    { size: 'dev', member: 'immutableDays', expected: '0' },
  ] as const)('protect what relies on them: $size has $member $expected', ({ size, member, expected }) => {
    expect(sizeSays(size, member)).toBe(expected);
  });
  test('protect the vaults of production, and of no other', () => {
    expect(values.get('retention')?.text).toContain(
      "vaultIsProtected: !isDev && (size == 'large' || readEnvironmentVariable('ENVIRONMENT', 'prod') == 'prod')",
    );
  });
  test.each(['small', 'large'] as const)('keep an image longer than the longest enrollment: %s', (size) => {
    expect(Number(sizeSays(size, 'imageryDays'))).toBeGreaterThan(1096);
  });
  test('log no reads of images where they could fill the workspace of the alerts', () => {
    expect(sizes.map((size) => sizeSays(size, 'logImageryReads'))).toEqual(['true', 'false', 'false']);
  });
  test('keep exports in a region that somebody names, never one by default, but for a developer', () => {
    expect(values.get('backups')?.text).toContain(
      "location: isDev ? null : readEnvironmentVariable('BACKUP_LOCATION', '')",
    );
  });
});

test('a parameter file that the parser does not understand is refused', async () => {
  await expect(assignmentsOf("using 'main.bicep'\nparam a = {\n  b: \n")).rejects.toThrow('not understood');
});
