import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { settings } from '../../shared/config.js';
import { dataContainerNames, imageryContainerName } from '../../shared/storage/names.js';
import { allBicepFiles, azureFolder, type BicepFile } from './bicepTree.js';
import { theOne } from './declarations.js';

const environments = ['dev', 'test', 'canary', 'prod'] as const;

let files: readonly BicepFile[] = [];
const moduleText = (path: string, name: string): string => {
  const file = files.find((each) => each.path === path);
  if (file === undefined) throw new Error(`There is no ${path}.`);
  return theOne(file, 'module', name).node.text;
};
beforeAll(async () => {
  files = await allBicepFiles();
});

/** A member of `retention` in the parameter file of an environment. */
function retentionOf(environment: string, member: string): number {
  const source = readFileSync(join(azureFolder, `${environment}.bicepparam`), 'utf8');
  return Number(new RegExp(`param retention = \\{[^}]*\\b${member}: (\\d+)`).exec(source)?.[1]);
}

/** What `main.bicep` gives the parameter of the storage module: a member of `retention`. */
function parameterOf(name: string, environment: string): number {
  const member = new RegExp(`\\b${name}: retention\\.(\\w+)`).exec(moduleText('main.bicep', 'dataStorage'))?.[1];
  return retentionOf(environment, member ?? 'none');
}

const ruleForm = /prefix: '([^']*)', deleteAfterDays: ([^}]+?) \}/g;

/** The days after which the blobs below a prefix go; undefined without a rule. Days are written `400` or `name + 14`. */
function deletedAfter(prefix: string, environment: string): number | undefined {
  const rules = ['dataLifecycle', 'imageryLifecycle'].flatMap((name) => [
    ...moduleText('modules/dataStorage.bicep', name).matchAll(ruleForm),
  ]);
  const written = rules.find(
    ([, found]) => found?.replace('${imageryContainer}', imageryContainerName) === prefix,
  )?.[2];
  const [, parameter, more] = /^(?:([a-z]\w*) \+ )?(\d+)$/i.exec(written ?? '') ?? [];
  if (more === undefined) return undefined;
  return Number(more) + (parameter === undefined ? 0 : parameterOf(parameter, environment));
}

/** The longest that a job waits for its data manager, which is after its insight was written and before its end. */
const patienceDays = (): number => {
  const taken = (hours: number): boolean => {
    try {
      return settings.DEPENDENCY_PATIENCE_HOURS.parse(String(hours)) === hours;
    } catch {
      return false;
    }
  };
  let hours = 1;
  while (taken(hours + 1)) hours += 1;
  return hours / 24;
};
/** What is due in a night goes in that night, or in one of the next while something keeps it. */
const purgeDays = 3;

describe.each(environments)('in %s', (environment) => {
  test('an insight that no job knows goes, and none before its job', () => {
    const days = deletedAfter('insights/', environment);
    expect(days).toBeGreaterThanOrEqual(retentionOf(environment, 'jobDays') + patienceDays() + purgeDays);
    expect(days).toBeLessThanOrEqual(retentionOf(environment, 'jobDays') + 31);
  });

  test('an image that no record knows goes, and none before its record', () => {
    const days = deletedAfter(`${imageryContainerName}/`, environment);
    expect(days).toBeGreaterThanOrEqual(retentionOf(environment, 'imageryDays') + purgeDays);
  });

  test('every container of the data account has a rule, but for inputs and farm data, which the service takes away itself', () => {
    const kept = dataContainerNames.filter((name) => deletedAfter(`${name}/`, environment) === undefined);
    expect(kept).toEqual(['enrollment-inputs', 'farm-data']);
  });
});
