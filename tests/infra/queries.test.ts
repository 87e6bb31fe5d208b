import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { functionTable } from '../../functions/functionTable.js';
import { sampledEvents } from '../../shared/telemetry/lineSampling.js';
import { jsonLog } from '../../shared/telemetry/telemetry.js';
import { allBicepFiles, azureFolder, childrenOf, stringOf } from './bicepTree.js';
import { propertiesOf, theOne } from './declarations.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The sources of what logs. */
const source = ['shared', 'functions']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');

interface Query {
  readonly name: string;
  readonly text: string;
}

const alertQueries: readonly Query[] = readdirSync(join(azureFolder, 'queries')).map((name) => ({
  name,
  text: readFileSync(join(azureFolder, 'queries', name), 'utf8'),
}));

interface WorkbookItem {
  readonly name: string;
  readonly content: { readonly query?: string };
}
const workbook = JSON.parse(readFileSync(join(azureFolder, 'operations.workbook.json'), 'utf8')) as {
  readonly items: readonly WorkbookItem[];
};
const workbookQueries: readonly Query[] = workbook.items.flatMap(({ name, content }) =>
  content.query === undefined ? [] : [{ name, text: content.query }],
);

const eventsOf = (text: string): readonly string[] =>
  [...text.matchAll(/\b[A-Z]\w*:[A-Z]\w*/g)].map(([event]) => event);
const operationsOf = (text: string): readonly string[] =>
  [...text.matchAll(/tostring\(line\.operation\) [!=]= '(\w+)'/g)].map(([, operation = '']) => operation);
const factsOf = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:line|Properties)\.(\w+)/g)].map(([, fact = '']) => fact);
const isLogged = (event: string): boolean => source.includes(`'${event}'`);
const functionNames = [functionTable.routes, functionTable.queues, functionTable.timers, functionTable.duties].flatMap(
  (functions) => functions.map(({ name }) => name),
);

describe.each([...alertQueries, ...workbookQueries])('the query $name', ({ text }) => {
  test('asks for events that the service logs', () => {
    expect(eventsOf(text).filter((event) => !isLogged(event))).toEqual([]);
  });
  test('asks for functions that exist', () => {
    expect(operationsOf(text).filter((name) => !functionNames.includes(name))).toEqual([]);
  });
  test('asks for figures that the service measures', () => {
    const figures = [...text.matchAll(/\bName == '([\w.]+)'/g)].map(([, figure = '']) => figure);
    expect(figures.filter((figure) => !source.includes(`'${figure}': {`))).toEqual([]);
  });
  test('reads facts that the service writes', () => {
    expect(factsOf(text).filter((fact) => !new RegExp(`\\b${fact}\\b`).test(source))).toEqual([]);
  });
});

describe('an alert never depends on lines that are sampled', () => {
  test.each(alertQueries)('$name', ({ text }) => {
    // Spans are sampled too: AppRequests and AppDependencies.
    expect(text).not.toMatch(/\bApp(Requests|Dependencies)\b/);
    expect(eventsOf(text).filter((event) => sampledEvents.has(event))).toEqual([]);
  });
  test('and what is sampled is logged somewhere', () => {
    expect([...sampledEvents].filter((event) => !isLogged(event))).toEqual([]);
  });
});

test('a line begins with its event, which the queries look for', () => {
  const lines: string[] = [];
  jsonLog((line) => lines.push(line))('Job:Succeeded', { tenant: 't', seconds: 3 });
  expect(lines[0]?.startsWith('{"event":"Job:Succeeded"')).toBe(true);
});

test.each(['Gdd:Made', 'Job:Finished'])('an event that nobody logs would be found: %s', (event) => {
  expect(isLogged(event)).toBe(false);
});

interface Alert {
  readonly name: string;
  readonly query: string;
  readonly column: string;
  readonly window: string;
}

let alerts: readonly Alert[] = [];
let metricAlerts: readonly string[] = [];
beforeAll(async () => {
  const files = await allBicepFiles();
  const fileAt = (path: string) => files.find((file) => file.path === path)!;
  const tables = ['modules/alerts.bicep', 'modules/customerAlerts.bicep'].map(
    (path) => theOne(fileAt(path), 'variable', 'rules').rest[0]!,
  );
  alerts = tables.flatMap(childrenOf).map((rule) => {
    const text = (name: string): string => stringOf(propertiesOf(rule).get(name));
    const query = /queries\/(\w+\.kql)/.exec(propertiesOf(rule).get('query')!.text)?.[1] ?? '';
    return { name: text('name'), query, column: text('column'), window: text('window') };
  });
  const metricText = fileAt('modules/metricAlerts.bicep').root.text;
  const names = [...metricText.matchAll(/metricAlerts@[^]*?name: '\$\{namePrefix\}-([\w-]+?)(?:-\$\{\w+\})?'/g)];
  metricAlerts = names.map(([, name = '']) => name);
});

const seconds = (duration: string): number => {
  const [, days = '0', hours = '0', minutes = '0'] = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/.exec(duration) ?? [];
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60;
};

describe('every timer and every duty is watched', () => {
  const watchedBy = (name: string): readonly string[] =>
    operationsOf(alertQueries.find((query) => query.name === name)!.text.replaceAll('countif(', ''));
  const namesOf = (all: readonly { readonly name: string }[]): readonly string[] => all.map(({ name }) => name).sort();

  test('the timer by no-sweep', () => {
    expect([...watchedBy('noSweep.kql')].sort()).toEqual(namesOf(functionTable.timers));
  });
  test('duties of every day and every hour by no-daily-run, the canary and the feed by their own', () => {
    const watched = ['noDailyRun.kql', 'canary.kql', 'feedBehind.kql'].flatMap(watchedBy);
    expect(watched.sort()).toEqual(namesOf(functionTable.duties));
  });
});

test('the workbook shows every figure that the service measures', () => {
  const figures = [...source.matchAll(/^ {2}'([\w.]+)': \{\s+kind:/gm)].map(([, figure = '']) => figure);
  const shown = workbookQueries.map(({ text }) => text).join('\n');
  const byLog = ['jobs.age'];
  expect(figures.length).toBeGreaterThan(byLog.length);
  expect(figures.filter((figure) => !shown.includes(`'${figure}'`)).sort()).toEqual(byLog);
});

test('docs/operations.md explains every figure that the service measures, and no other', () => {
  const figures = [...source.matchAll(/^ {2}'([\w.]+)': \{\s+kind:/gm)].map(([, figure = '']) => figure);
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const explained = [...page.matchAll(/^\| `([a-z_]+(?:\.[a-z_]+)+)`/gm)].map(([, figure = '']) => figure);
  expect([...explained].sort()).toEqual([...figures].sort());
});

describe('the alerts', () => {
  test('ask every query once', () => {
    expect(alerts.map(({ query }) => query).sort()).toEqual(alertQueries.map(({ name }) => name).sort());
  });
  test('measure a column that the last line of the query makes', () => {
    for (const { query, column } of alerts) {
      const lines = alertQueries
        .find(({ name }) => name === query)!
        .text.trimEnd()
        .split('\n');
      expect(lines.at(-1)).toMatch(new RegExp(`^\\| (project|summarize) .*\\b${column}\\b`));
    }
  });
  test('look back at least five minutes, which is how often they look', () => {
    for (const { window } of alerts) expect(seconds(window)).toBeGreaterThanOrEqual(300);
  });
  test('are each explained in docs/operations.md, and no other is', () => {
    const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
    const explained = [...page.matchAll(/^### `([\w-]+)`$/gm)].map(([, name = '']) => name);
    expect([...explained].sort()).toEqual([...alerts.map(({ name }) => name), ...metricAlerts].sort());
  });
});
