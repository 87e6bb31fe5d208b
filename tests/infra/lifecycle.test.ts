import { beforeAll, describe, expect, test } from '@jest/globals';
import { settings } from '../../shared/wiring/settings/config.js';
import { dataContainerNames, imageryContainerName } from '../../shared/storage/names.js';
import { allBicepFiles, type BicepFile } from './bicepTree.js';
import { theOne } from './declarations.js';
import { sizes, sizeSays, type Size } from './sizes.js';

let files: readonly BicepFile[] = [];
const moduleText = (path: string, name: string): string => {
  const file = files.find((each) => each.path === path);
  if (file === undefined) throw new Error(`There is no ${path}.`);
  return theOne(file, 'module', name).node.text;
};
beforeAll(async () => {
  files = await allBicepFiles();
});

/** A member of `retention` of a size. */
const retentionOf = (size: Size, member: string): number => Number(sizeSays(size, member));

const ruleForm = /prefix: '([^']*)', deleteAfterDays: ([^}]+?) \}/g;

/** The days after which the blobs below a prefix go; undefined without a rule: `400` or `retention.name + 14`. */
function deletedAfter(prefix: string, size: Size): number | undefined {
  const texts = ['data', 'imagery'].map((name) => moduleText('modules/storage.bicep', name));
  const rules = [...texts, moduleText('modules/backup.bicep', 'exports')].flatMap((text) => [
    ...text.matchAll(ruleForm),
  ]);
  const written = rules.find(
    ([, found]) =>
      found
        ?.replace('${imageryContainer}', imageryContainerName)
        .replace('${backupContainer}', 'backups')
        .replace('${deadLetterContainer}', 'notice-dead-letters') === prefix,
  )?.[2];
  const [, parameter, more] = /^(?:retention\.(\w+) \+ )?(\d+)$/.exec(written ?? '') ?? [];
  if (more === undefined) return undefined;
  return Number(more) + (parameter === undefined ? 0 : retentionOf(size, parameter));
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

describe.each(sizes)('at the size %s', (size) => {
  test('an insight that no job knows goes, and none before its job', () => {
    const days = deletedAfter('insights/', size);
    expect(days).toBeGreaterThanOrEqual(retentionOf(size, 'jobDays') + patienceDays() + purgeDays);
    expect(days).toBeLessThanOrEqual(retentionOf(size, 'jobDays') + 31);
  });

  test('an image that no record knows goes, and none before its record', () => {
    const days = deletedAfter(`${imageryContainerName}/`, size);
    expect(days).toBeGreaterThanOrEqual(retentionOf(size, 'imageryDays') + purgeDays);
  });

  test('events that no subscriber took go after a month', () => {
    expect(deletedAfter('notice-dead-letters/', size)).toBe(30);
  });

  test('every container of the data account has a rule, but for inputs and farm data, which the service takes away itself', () => {
    const kept = dataContainerNames.filter((name) => deletedAfter(`${name}/`, size) === undefined);
    expect(kept).toEqual(['enrollment-inputs', 'farm-data']);
  });
});
