// Answers of `az` are written by hand from its documentation: no Azure was asked.
import { describe, expect, test } from '@jest/globals';
import { variablesRead } from '../../../infra/deploy/infrastructure.mjs';
import { settingsOf } from '../../../infra/deploy/release.mjs';
import { passing, valueOf } from '../../../infra/deploy/remembered.mjs';
import { printVariables } from '../../../infra/deploy/variables.mjs';
import { allBicepFiles } from '../bicepTree.js';
import { failure } from './standIn.js';
import { commitBefore, runRelease, type ReleaseRun } from './scenarios.js';

const countOf = ({ world }: ReleaseRun, pattern: RegExp): number =>
  world.commands.filter((command) => pattern.test(command)).length;

describe('a release deploys the infrastructure', () => {
  const create = /deployment group create .*--name service-a{12}/;
  test('once for what templates and variables say: the commit is no change', async () => {
    const first = await runRelease({});
    expect(countOf(first, create)).toBe(1);
    const second = await runRelease({ tags: first.tags, commit: commitBefore });
    expect(second.fault).toBeUndefined();
    expect(countOf(second, /deployment group create|what-if/)).toBe(0);
  });
  test('when a parameter is another', async () => {
    const { tags } = await runRelease({});
    expect(countOf(await runRelease({ tags, parameters: { canary: '{}' } }), create)).toBe(1);
  });
  test('always, when it is asked to: that takes back what was changed by hand', async () => {
    const { tags } = await runRelease({});
    expect(countOf(await runRelease({ tags, infrastructure: 'always' }), create)).toBe(1);
  });
  test('again after a deployment that has failed', async () => {
    const { tags } = await runRelease({});
    const failed = await runRelease({
      ...{ tags, parameters: { canary: '{}' } },
      answers: [['az deployment group create', failure('QuotaExceeded')]],
    });
    expect(failed.fault?.message).toContain('QuotaExceeded');
    expect(countOf(await runRelease({ tags: failed.tags }), create)).toBe(1);
  });
  test('whatever Azure tells beforehand, which is printed and decides nothing', async () => {
    const told = await runRelease({ answers: [['az deployment group what-if', 'Resource changes: no change.']] });
    expect(countOf(told, create)).toBe(1);
    expect(told.world.lines.join('\n')).toContain('Resource changes: no change.');
    const untold = await runRelease({
      answers: [['az deployment group what-if', failure('NestedDeploymentShortCircuited')]],
    });
    expect(countOf(untold, create)).toBe(1);
  });
});

describe('the variables of an environment', () => {
  const given = { AZURE_RESOURCE_GROUP: 'rg', SIZE: 'small', TOKEN_AUDIENCE: 'a', ALERT_EMAILS: 'b@example.com' };
  test('are those that the parameter file reads and those of the release', () => {
    const kept = settingsOf(JSON.stringify({ ...given, CANARY: '{}', UNKNOWN: 'x', OWNER: '' }));
    expect(kept).toEqual({ ...given, CANARY: '{}' });
    expect(variablesRead('small')).toContain('BACKUP_LOCATION');
  });
  test('that are missing are named', () => {
    expect(() => settingsOf(JSON.stringify({ ...given, SIZE: '', ALERT_EMAILS: undefined }))).toThrow(
      'SIZE, ALERT_EMAILS',
    );
  });
  test.each([
    { variable: 'PUBLIC_URL', before: { publicUrl: 'https://fields.contoso.com' }, now: { publicUrl: '' } },
    { variable: 'OPEN_METEO', before: { openMeteo: true }, now: { openMeteo: false } },
    {
      variable: 'ALLOWED_ADDRESSES',
      before: { network: { allowedAddresses: ['203.0.113.7'] } },
      now: { network: { allowedAddresses: [] } },
    },
    {
      variable: 'OPERATOR_GROUP_ID',
      before: { people: { operatorGroupId: 'id' } },
      now: { people: { operatorGroupId: '' } },
    },
    { variable: 'OWNER', before: { labels: { owner: 'the-team' } }, now: {} },
  ])('that were set and are not any more are refused: $variable', async ({ variable, before, now }) => {
    const forgotten = await runRelease({ parametersBefore: before, parameters: now });
    expect(forgotten.fault?.message).toBe(
      `Variables of the environment were set and are not any more: ${variable}. Set them again, or to none.`,
    );
    expect(countOf(forgotten, /config-zip|deployment group create/)).toBe(0);
    const emptied = await runRelease({ parametersBefore: before, parameters: now, variables: { [variable]: 'none' } });
    expect(emptied.fault).toBeUndefined();
    expect(
      emptied.world.given.get(emptied.world.commands.find((line) => line.includes('--print')) ?? ''),
    ).not.toHaveProperty(variable);
  });
  test('are each known by the parameter that they give', async () => {
    const known = new Set(
      (await allBicepFiles())
        .flatMap(({ path, root }) =>
          /main|parameters/.test(path) ? [...root.text.matchAll(/^ *(?:param )?(\w+)(?=: | \w+$| \w+ =)/gm)] : [],
        )
        .map(([, name = '']) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()),
    );
    const values = [...known].map((name) => ({ name, value: name }));
    // Where one of them is forgotten the deployment itself fails.
    const aside = [...passing, 'BACKUP_POLICY_LOCKED', 'SIZE'];
    const unknown = variablesRead('large').filter(
      (name) => !aside.includes(name) && valueOf(values, name) === undefined,
    );
    expect(unknown).toEqual([]);
  });
  test('are printed as commands for those that the shell has', () => {
    const lines: string[] = [];
    const env = { ENVIRONMENT: 'prod', REPOSITORY: 'us/service', SIZE: 'large', CANARY: `{"url":"it's"}` };
    printVariables({ env, log: (line) => void lines.push(line) });
    expect(lines).toContain(`gh variable set CANARY --repo us/service --env prod --body '{"url":"it'\\''s"}'`);
    expect(lines).toContain('# PUBLIC_URL is not set');
    expect(lines.join()).not.toContain('BUILD_COMMIT');
  });
  test('name an address of callers without a path', () => {
    expect(() => settingsOf(JSON.stringify({ ...given, PUBLIC_URL: 'https://f.example/' }))).toThrow(
      'nothing behind it',
    );
  });
  test('name a size that exists', () => {
    expect(() => settingsOf(JSON.stringify({ ...given, SIZE: 'huge' }))).toThrow(
      'SIZE is huge; it must be dev, small, large.',
    );
  });
});
