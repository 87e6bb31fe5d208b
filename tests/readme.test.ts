import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { functionTable } from '../functions/functionTable.js';
import { readConfig, settings } from '../shared/wiring/settings/config.js';
import { commandNames } from '../shared/operate/commands/commandBody.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const CONFIGURATION = new URL('../docs/configuration.md', import.meta.url);
const unpadded = (text: string): string => text.replaceAll(/ {2,}/g, ' ').replaceAll(/-{3,}/g, '---');

/** Tags of the operations that a page of their own lists. */
const FARM_DATA = 'Farm data';
const NOTICES = 'Notices';
/** docs/operations/incidents.md has those of operators. */
const OPERATIONS = 'Operations';

interface SettingDoc {
  readonly meaning: string;
  readonly example: string;
  readonly fallback?: string;
  readonly optional?: true;
}

const rows = Object.entries<SettingDoc>(settings).map(([name, { meaning, example, fallback, optional }]) => {
  const otherwise = fallback === undefined ? (optional === true ? 'none' : '**required**') : `\`${fallback}\``;
  return `| \`${name}\` | ${meaning} | ${otherwise} | \`${example}\` |`;
});

describe('the README', () => {
  test('is short enough to be read', () => {
    expect(readme.split('\n').length).toBeLessThan(150);
  });

  test('leads to every page for callers and developers', () => {
    const pages = readdirSync(new URL('../docs', import.meta.url)).filter((name) => name.endsWith('.md'));
    expect(
      pages.filter((name) => !readme.includes(`| [docs/${name}](`) && !readme.includes(`, [docs/${name}](`)),
    ).toEqual([]);
  });

  test('says where the operations and the commands of operators stand', () => {
    expect(readme).toContain('[`/operate/v1`](docs/operations/incidents.md)');
    const page = readFileSync(new URL('../docs/operations/incidents.md', import.meta.url), 'utf8');
    const endings = commandNames.map((name) => [name, name.slice(name.indexOf('.'))]);
    const missing = endings.filter((texts) => !texts.some((text) => page.includes(`\`${text}\``)));
    expect(missing).toEqual([]);
  });

  test('lists every operation', () => {
    for (const { method, path, tag } of functionTable.routes) {
      if (![FARM_DATA, NOTICES, OPERATIONS].includes(tag)) expect(readme).toContain(`\`${method} /${path}\``);
    }
  });
});

describe('docs/farm-data.md', () => {
  const page = readFileSync(new URL('../docs/farm-data.md', import.meta.url), 'utf8');
  const owner = /below `([^`]+)`/.exec(page)?.[1] ?? '';
  const listed = [...page.matchAll(/^\| `((?:GET|PATCH|PUT|POST|DELETE) [^`]+)`/gm)].map(([, operation = '']) =>
    operation.replace('…', owner),
  );
  const operations = functionTable.routes
    .filter(({ tag }) => tag === FARM_DATA)
    .map(({ method, path }) => `${method} /${path}`);

  test('lists every operation on farm data, and no other', () => {
    expect(listed.sort()).toEqual(operations.sort());
  });

  test('and the README says how many there are', () => {
    expect(readme).toContain(`[${operations.length} operations](docs/farm-data.md#operations)`);
  });
});

describe('docs/notices.md', () => {
  const page = readFileSync(new URL('../docs/notices.md', import.meta.url), 'utf8');
  const operations = functionTable.routes
    .filter(({ tag }) => tag === NOTICES)
    .map(({ method, path }) => `${method} /${path}`);

  test('lists every operation on webhooks and events, and no other', () => {
    const listed = [...page.matchAll(/^\| `((?:GET|PATCH|POST|DELETE) [^`]+)`/gm)].map(([, operation]) => operation);
    expect(listed.sort()).toEqual(operations.sort());
  });

  test('and the README says how many there are', () => {
    expect(readme).toContain(`[${operations.length} operations](docs/notices.md#operations)`);
  });
});

describe('docs/configuration.md', () => {
  test('lists every setting as the code knows it', () => {
    const head = '| variable | meaning | default | example |\n| --- | --- | --- | --- |\n';
    const table = `${head}${rows.join('\n')}\n`;
    if (process.env['UPDATE_DOCS'] === '1') {
      const [before = '', after = ''] = readFileSync(CONFIGURATION, 'utf8').split(/(?<=by a test -->\n\n)(?:\|.*\n)+/);
      writeFileSync(CONFIGURATION, `${before}${table}${after}`);
    }
    expect(unpadded(readFileSync(CONFIGURATION, 'utf8'))).toContain(unpadded(table));
  });
});

describe('local.settings.example.json', () => {
  const { Values } = JSON.parse(readFileSync(new URL('../local.settings.example.json', import.meta.url), 'utf8')) as {
    Values: Record<string, string>;
  };

  test('is a configuration the service takes', () => {
    expect(() => readConfig(Values)).not.toThrow();
  });

  test('has no setting that the service does not know', () => {
    const platform = ['FUNCTIONS_WORKER_RUNTIME', 'AzureWebJobsStorage', 'DATA_STORAGE'];
    const known = [...Object.keys(settings), ...platform];
    expect(Object.keys(Values).filter((name) => !known.includes(name))).toEqual([]);
  });
});
