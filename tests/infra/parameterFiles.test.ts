import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { allBicepFiles, azureFolder, parseBicep, type BicepFile, type Node } from './bicepTree.js';
import { declared, propertiesOf, theOne } from './declarations.js';
import { isOptional } from './references.js';

const sizes = ['dev', 'small', 'large'] as const;

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
  values = new Map(await Promise.all(sizes.map(async (name) => [name, await assignmentsOf(name)] as const)));
});
const valuesOf = (size: string): ReadonlyMap<string, Node> => values.get(size)!;

/** Members of a type of parameters.bicep. */
function membersOf(type: string): readonly string[] {
  const file = files.find((candidate) =>
    declared(candidate, 'type').some(({ name, decorators }) => name === type && decorators.includes('export')),
  );
  return [...propertiesOf(theOne(file!, 'type', type).rest[0]!).keys()];
}

describe.each(sizes)('%s.bicepparam', (size) => {
  const source = readFileSync(join(azureFolder, `${size}.bicepparam`), 'utf8');

  test('is for main.bicep', () => {
    expect(source.startsWith("using 'main.bicep'\n")).toBe(true);
  });
  test('is for its own environment', () => {
    const named = size === 'dev' ? "'dev'" : "readEnvironmentVariable('ENVIRONMENT', 'prod')";
    expect(valuesOf(size).get('environmentName')?.text).toBe(named);
  });
  test('gives every parameter that has no default, and none that does not exist', () => {
    const parameters = declared(files[0]!, 'parameter');
    const given = [...valuesOf(size).keys()];
    expect(given.filter((name) => !parameters.some((parameter) => parameter.name === name))).toEqual([]);
    const wanted = parameters.filter((parameter) => !isOptional(parameter)).map(({ name }) => name);
    expect(wanted.filter((name) => !given.includes(name))).toEqual([]);
  });
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
  ])('gives %s every member of %s, and no other', (parameter, type) => {
    expect([...propertiesOf(valuesOf(size).get(parameter)!).keys()].sort()).toEqual([...membersOf(type)].sort());
  });
  test('is built without any variable of the environment: each that it reads has a default', () => {
    const reads = [...source.matchAll(/readEnvironmentVariable\(/g)];
    const withDefault = [
      ...source.matchAll(/readEnvironmentVariable\('[A-Z_]+', (?='[^']*'\)|readEnvironmentVariable\()/g),
    ];
    expect(reads.length).toBeGreaterThan(0);
    expect(withDefault).toHaveLength(reads.length);
  });
  test('holds no secret', () => {
    expect(source).not.toMatch(/secret|password|@secure|sig=|AccountKey/i);
  });
});

describe('the sizes', () => {
  const memberOf = (size: string, parameter: string, member: string): string | undefined =>
    propertiesOf(valuesOf(size).get(parameter)!).get(member)?.text;

  test('differ in what is large, closed, kept and paid for, and in whose it is', () => {
    const differing = [...valuesOf('large').keys()].filter(
      (name) => new Set(sizes.map((size) => valuesOf(size).get(name)?.text)).size > 1,
    );
    expect(differing.sort()).toEqual(
      ['alertTargets', 'backups', 'environmentName', 'network', 'people', 'retention', 'scale'].sort(),
    );
  });
  test.each([
    { size: 'large', parameter: 'scale', member: 'zoneRedundant', expected: 'true' },
    { size: 'large', parameter: 'network', member: 'mode', expected: "'closed'" },
    { size: 'large', parameter: 'network', member: 'fixedOutbound', expected: 'true' },
    { size: 'large', parameter: 'retention', member: 'vaultIsProtected', expected: 'true' },
    { size: 'large', parameter: 'backups', member: 'immutableDays', expected: '30' },
    { size: 'small', parameter: 'scale', member: 'zoneRedundant', expected: 'false' },
    { size: 'small', parameter: 'network', member: 'mode', expected: "'firewall'" },
    { size: 'small', parameter: 'backups', member: 'immutableDays', expected: '30' },
    { size: 'dev', parameter: 'network', member: 'mode', expected: "'open'" },
    { size: 'dev', parameter: 'backups', member: 'immutableDays', expected: '0' },
    { size: 'dev', parameter: 'retention', member: 'vaultIsProtected', expected: 'false' },
  ])('protect what relies on them: $size has $parameter.$member $expected', ({ size, parameter, member, expected }) => {
    expect(memberOf(size, parameter, member)).toBe(expected);
  });
  test.each(['small', 'large'])('keep an image longer than the longest enrollment: %s', (size) => {
    expect(Number(memberOf(size, 'retention', 'imageryDays'))).toBeGreaterThan(1096);
  });
  test.each(['small', 'large'])('keep exports in another region unless told otherwise: %s', (size) => {
    expect(memberOf(size, 'backups', 'location')).toBe("readEnvironmentVariable('BACKUP_LOCATION', 'northeurope')");
  });
});

test('a parameter file that the parser does not understand is refused', async () => {
  await expect(assignmentsOf('broken', "using 'main.bicep'\nparam a = {\n  b: \n")).rejects.toThrow('not understood');
});
