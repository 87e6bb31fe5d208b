import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { minimumVersions } from '../../infra/deploy/versions.mjs';
import { tenantMembers } from '../../shared/access/tenants/tenant.js';
import { sizes, sizeSays } from './sizes.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = 'docs/operations';
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = readdirSync(join(root, folder)).map((name) => ({ name, text: read(`${folder}/${name}`) }));
const all = pages.map(({ text }) => text).join('\n');
const shell = [...all.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text).join('\n');

const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

describe('the pages of docs/operations', () => {
  test.each(pages)('$name has at most 170 lines', ({ text }) => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(170);
  });
  test('are each in the table of README.md', () => {
    const listed = [...read(`${folder}/README.md`).matchAll(/\]\((?!\.\.)([\w-]+\.md)/g)].map(([, name]) => name);
    expect(pages.map(({ name }) => name).filter((name) => name !== 'README.md' && !listed.includes(name))).toEqual([]);
  });
  test.each(pages)('$name leads to pages and headings that exist', ({ text }) => {
    const links = [...text.matchAll(/\]\((?!https?:)([\w./-]*)(?:#([\w-]+))?\)/g)];
    const faults = links.filter(([, path = '', anchor]) => {
      const target = path === '' ? text : existsSync(join(root, folder, path)) ? read(join(folder, path)) : undefined;
      return target === undefined || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(faults.map(([link]) => link)).toEqual([]);
  });
  test('name files that exist', () => {
    const paths = [...all.matchAll(/(?:infra|tools|tests|\.github)\/[\w./-]+\w/g)].map(([path]) => path);
    const names = [...read(`${folder}/deploy.md`).matchAll(/`([\w]+\.mjs)`/g)].map(
      ([, name = '']) => `infra/deploy/${name}`,
    );
    expect(paths.length).toBeGreaterThan(5);
    expect([...new Set([...paths, ...names])].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('every page that leads to the operations pages', () => {
  const outside = [
    'README.md',
    'SECURITY.md',
    'CONTRIBUTING.md',
    ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
  ];
  test('names one that exists', () => {
    const faults = outside
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        [...read(path).matchAll(/\]\(([\w./-]*operations[\w./-]*)/g)].map(([, link = '']) => join(dirname(path), link)),
      )
      .filter((path) => !existsSync(join(root, path)));
    expect(faults).toEqual([]);
  });
});

describe('deploy.md', () => {
  const page = read(`${folder}/deploy.md`);
  test.each(Object.entries(minimumVersions))(
    'names the oldest version of %s that programs take: %s',
    (name, version) => {
      const words = { node: 'Node', az: 'Azure CLI', azd: 'azd', gh: 'GitHub CLI' };
      expect(page).toContain(`${words[name as keyof typeof words]} ${version}`);
    },
  );
  test('has the Azure CLI compile with the Bicep that CI has', () => {
    const version = /Version="\[([\d.]+)\]"/.exec(read('infra/build/bicep.csproj'))?.[1] ?? 'none';
    expect(page).toContain(`az bicep install --version v${version}`);
  });
  test('has every variable set that a parameter file wants for a deployment', () => {
    const exported = new Set([...shell.matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, name = '']) => name));
    const wanted = ['OWNER', 'COST_CENTRE', 'ALERT_EMAILS', 'BUILD_COMMIT', 'OPERATOR_GROUP_ID', 'READER_GROUP_ID'];
    expect(wanted.filter((name) => !exported.has(name))).toEqual([]);
  });
});

describe('the table of sizes', () => {
  const table = read(`${folder}/README.md`);
  test.each([
    { row: 'memory of an instance in MB', member: 'instanceMemoryMB' },
    { row: 'most instances of a group', member: 'maximumInstances' },
    { row: 'always ready for HTTP', member: 'alwaysReadyHttp' },
    { row: 'network', member: 'mode' },
    { row: 'days: jobs and their insights, after end', member: 'jobDays' },
    { row: 'days: images, since they were made', member: 'imageryDays' },
    { row: 'days: logs', member: 'logDays' },
    { row: 'days: deleted blobs can be brought back', member: 'softDeleteDays' },
    { row: 'days: exports that nobody can delete', member: 'immutableDays' },
    { row: 'minutes between questions from outside', member: 'availabilityMinutes' },
    { row: 'GB of logs a day, then none', member: 'dailyLogGb' },
    { row: 'budget a month', member: 'monthlyBudget' },
  ])('gives "$row" as the table of sizes does', ({ row, member }) => {
    const cells =
      table
        .split('\n')
        .findLast((line) => line.startsWith(`| ${row} `))
        ?.split('|')
        .slice(2, 5) ?? [];
    const written = cells.map((cell) => cell.trim().replace(',', '').replace('none', '0'));
    const set = sizes.map((size) => sizeSays(size, member).replaceAll("'", ''));
    expect(written).toEqual(set);
  });
});

const tenants = pages.find(({ name }) => name === 'tenants-and-customers.md')?.text;
(tenants === undefined ? describe.skip : describe)('the table of tenants', () => {
  test('explains every member of a tenant, and no other', () => {
    const named = [...(tenants ?? '').matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(named.filter((name) => (tenantMembers as readonly string[]).includes(name ?? ''))).toEqual(tenantMembers);
  });
});
