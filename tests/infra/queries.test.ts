import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { functionTable } from '../../functions/functionTable.js';
import { sampledEvents } from '../../shared/kit/telemetry/lineSampling.js';
import { jsonLog } from '../../shared/kit/telemetry/telemetry.js';
import { allBicepFiles, azureFolder, childrenOf, stringOf, type Node } from './bicepTree.js';
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
  [...text.matchAll(/tostring\(line\.operation\) [!=]= '(\w+)'|'(\w+)'(?=[^[]*?\]\n\| join)/g)].map(
    ([, operation, duty]) => operation ?? duty ?? '',
  );
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

/** A row of alerts.bicep. */
interface Alert {
  readonly name: string;
  readonly query: string;
  readonly strikes: string;
  readonly each: string;
  readonly rule: string;
  /** The row as it stands there. */
  readonly written: string;
}

let rules: readonly ReadonlyMap<string, Node>[] = [];
let alerts: readonly Alert[] = [];
let metricAlerts: readonly string[] = [];
beforeAll(async () => {
  const files = await allBicepFiles();
  const file = files.find(({ path }) => path === 'modules/alerts.bicep')!;
  const rowsOf = (rule: string): readonly Alert[] =>
    childrenOf(theOne(file, 'variable', rule).rest[0]!).map((row) => {
      const text = (name: string): string => stringOf(propertiesOf(row).get(name));
      const query = /queries\/(\w+\.kql)/.exec(propertiesOf(row).get('query')!.text)?.[1] ?? '';
      return { name: text('name'), query, strikes: text('strikes'), each: text('each'), rule, written: row.text };
    });
  rules = childrenOf(theOne(file, 'variable', 'rules').rest[0]!).map(propertiesOf);
  alerts = rules.flatMap((rule) => rowsOf(stringOf(rule.get('name'))));
  const names = [...file.root.text.matchAll(/metricAlerts@[^]*?name: '\$\{prefix\}-([\w-]+)'/g)];
  metricAlerts = names.map(([, name = '']) => name);
});

const seconds = (duration: string): number => {
  const [, days = '0', hours = '0', minutes = '0'] = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/.exec(duration) ?? [];
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60;
};

describe('every timer and every duty is watched', () => {
  const watchedBy = (name: string): readonly string[] =>
    operationsOf(alertQueries.find((query) => query.name === name)!.text);
  const namesOf = (all: readonly { readonly name: string }[]): readonly string[] => all.map(({ name }) => name).sort();

  test('the timer by no-tick', () => {
    expect([...watchedBy('noTick.kql')].sort()).toEqual(namesOf(functionTable.timers));
  });
  test('duties by late-duty, each as an alert of its own; the canary and the feed by their own', () => {
    const watched = ['lateDuty.kql', 'canary.kql', 'feedBehind.kql'].flatMap(watchedBy);
    expect(watched.sort()).toEqual(namesOf(functionTable.duties));
  });
});

describe('alerts that people need not be woken by', () => {
  const textOf = (name: string): string => alertQueries.find((query) => query.name === name)!.text;

  test('no duty is late in a service that is younger than the time that a duty is given', () => {
    const [, late = ''] =
      /ago\((\w+)\)\n\s+\| where Message startswith '\{"event":"Duty:Done"/.exec(textOf('lateDuty.kql')) ?? [];
    const [, from, to] = /between \(ago\((\d+)h\) \.\. ago\((\w+)\)\)/.exec(textOf('lateDuty.kql')) ?? [];
    expect(to).toBe(late);
    const window = seconds(stringOf(rules.find((rule) => stringOf(rule.get('name')) === 'daily')!.get('window')));
    expect(Number(from) * 3600).toBeLessThanOrEqual(window);
  });
  test.each(['canary.kql', 'feedBehind.kql'])('%s asks for no round of a service that has just begun', (name) => {
    expect(textOf(name)).toMatch(/between \(ago\(60m\) \.\. ago\(50m\)\)[^|]*'Timer:Done'/);
  });
  test("a secret that is refused to a person isn't told, only one that is refused to the app", () => {
    expect(textOf('vaultDenied.kql')).toContain("tostring(Identity) has 'APP_PRINCIPAL'");
    const alert = alerts.find(({ name }) => name === 'vault-denied')!;
    expect(alert.written).toContain("'APP_PRINCIPAL', appPrincipalId)");
  });
});

test('the workbook shows every figure that the service measures', () => {
  const figures = [...source.matchAll(/^ {2}'([\w.]+)': \{\s+kind:/gm)].map(([, figure = '']) => figure);
  const shown = workbookQueries.map(({ text }) => text).join('\n');
  const byLog = ['jobs.age'];
  expect(figures.length).toBeGreaterThan(byLog.length);
  expect(figures.filter((figure) => !shown.includes(`'${figure}'`)).sort()).toEqual(byLog);
});

test('docs/figures.md explains every figure that the service measures, and no other', () => {
  const figures = [...source.matchAll(/^ {2}'([\w.]+)': \{\s+kind:/gm)].map(([, figure = '']) => figure);
  const page = readFileSync(join(root, 'docs/figures.md'), 'utf8');
  const explained = [...page.matchAll(/^\| `([a-z_]+(?:\.[a-z_]+)+)`/gm)].map(([, figure = '']) => figure);
  expect([...explained].sort()).toEqual([...figures].sort());
});

describe('the alerts', () => {
  test('ask every query once', () => {
    expect(alerts.map(({ query }) => query).sort()).toEqual(alertQueries.map(({ name }) => name).sort());
  });
  const textOf = (alert: Alert): string => alertQueries.find(({ name }) => name === alert.query)!.text;

  test('strike by columns that the last line of the query makes', () => {
    for (const alert of alerts) {
      const [, column = 'none'] = /^(\w+) [<>] \d+$/.exec(alert.strikes) ?? [];
      for (const name of [column, ...(alert.each === '' ? [] : [alert.each])]) {
        expect(textOf(alert).trimEnd().split('\n').at(-1)).toMatch(
          new RegExp(`^\\| (project|summarize) .*\\b${name}\\b`),
        );
      }
    }
  });
  test('look back as far as each query says, within what its rule reads and no shorter than its rhythm', () => {
    for (const alert of alerts) {
      const rule = rules.find((row) => stringOf(row.get('name')) === alert.rule)!;
      const [, back = ''] = /TimeGenerated > ago\((\w+)\)/.exec(textOf(alert)) ?? [];
      const duration = back.endsWith('d') ? `P${back}` : `PT${back}`;
      expect(seconds(duration.toUpperCase())).toBeLessThanOrEqual(seconds(stringOf(rule.get('window'))));
      expect(seconds(duration.toUpperCase())).toBeGreaterThanOrEqual(seconds(stringOf(rule.get('every'))));
    }
  });
  test('are in three rules, for each rule has its price', () => {
    expect(rules.map((rule) => stringOf(rule.get('name')))).toEqual(['urgent', 'usual', 'daily']);
  });
  test('are each explained in docs/operations/alerts.md, and no other is', () => {
    const page = readFileSync(join(root, 'docs/operations/alerts.md'), 'utf8');
    const explained = [...page.matchAll(/^### `([\w-]+)`$/gm)].map(([, name = '']) => name);
    expect([...explained].sort()).toEqual([...alerts.map(({ name }) => name), ...metricAlerts].sort());
  });
});
