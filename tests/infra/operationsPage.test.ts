import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { settings } from '../../shared/config.js';
import { tenantMembers } from '../../shared/tenants/tenant.js';
import { allBicepFiles, type BicepFile } from './bicepTree.js';
import { declared } from './declarations.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const shell = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text).join('\n');

let files: readonly BicepFile[] = [];
beforeAll(async () => {
  files = await allBicepFiles();
});

/** What a `node -p` or `node -pe` of the page prints. */
function printed(option: '-p' | '-pe', containing: string, input = ''): string {
  const script = [...shell.matchAll(new RegExp(`node ${option} '([^']*)'`, 'g'))]
    .map(([, text = '']) => text)
    .find((text) => text.includes(containing));
  if (script === undefined) throw new Error(`The page has no node ${option} with ${containing}.`);
  const { stdout, stderr } = spawnSync(process.execPath, ['-p', script], { encoding: 'utf8', input });
  if (stderr !== '') throw new Error(stderr);
  return stdout;
}

describe('the commands of docs/operations.md', () => {
  test('name files that exist', () => {
    const paths = [...page.matchAll(/(?:infra|tools|tests|\.github)\/[\w./-]+\w/g)].map(([path]) => path);
    expect(paths.length).toBeGreaterThan(5);
    expect([...new Set(paths)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
  test('read outputs that the deployment has', () => {
    const names = [...page.matchAll(/output (\w+)\.value/g)].map(([, name = '']) => name);
    const outputs = declared(files[0]!, 'output').map(({ name }) => name);
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !outputs.includes(name))).toEqual([]);
  });
  test('export every variable that the parameter files want for a deployment', () => {
    const exported = new Set([...shell.matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, name = '']) => name));
    const wanted = ['OWNER', 'COST_CENTRE', 'ALERT_EMAILS', 'BUDGET_START', 'TOKEN_AUDIENCE', 'BUILD_COMMIT'];
    expect(wanted.filter((name) => !exported.has(name))).toEqual([]);
  });
  test('make a pepper that the service takes, another one each time', () => {
    const first = printed('-p', 'randomBytes');
    expect([...settings.API_KEY_PEPPERS.parse(first).keys()]).toEqual(['1']);
    expect(printed('-p', 'randomBytes')).not.toBe(first);
  });
  test('rotate the pepper: the old one stays, the new one has the next version', () => {
    const before = printed('-p', 'randomBytes');
    const after = settings.API_KEY_PEPPERS.parse(printed('-pe', 'peppers', before));
    expect([...after.keys()]).toEqual(['1', '2']);
    expect(after.get('1')).toEqual(settings.API_KEY_PEPPERS.parse(before).get('1'));
  });
});

describe('the tables of docs/operations.md', () => {
  test('explain every member of a tenant, and no other', () => {
    const table = page.slice(page.indexOf('## Tenants'), page.indexOf('## Customers'));
    expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)).toEqual(tenantMembers);
  });
  const retention = page.slice(page.indexOf('## Retention'), page.indexOf('## Limits'));
  test.each(['jobDays', 'imageryDays', 'logDays', 'softDeleteDays'])('give %s as the parameter files do', (name) => {
    const row = retention.split('\n').find((line) => line.includes(`retention.${name}`)) ?? '';
    const daysOf = (environment: string): number => {
      const text = readFileSync(join(root, `infra/azure/${environment}.bicepparam`), 'utf8');
      return Number(new RegExp(`${name}: (\\d+)`).exec(text)?.[1]);
    };
    const documented = new Map<string, number>();
    for (const [, days = '', environments = ''] of row.matchAll(/([\d,]+) \(([\w, ]+)\)/g)) {
      for (const environment of environments.split(', ')) documented.set(environment, Number(days.replace(',', '')));
    }
    expect(Object.fromEntries(documented)).toEqual(
      Object.fromEntries(['dev', 'test', 'canary', 'prod'].map((environment) => [environment, daysOf(environment)])),
    );
  });
  test('lead to headings that exist', () => {
    const anchors = [...page.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor = '']) => anchor);
    const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(anchors.filter((anchor) => !headings.includes(anchor))).toEqual([]);
  });
});
