import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { sampledEvents } from '../../shared/kit/telemetry/lineSampling.js';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const filesIn = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file));

const namesIn = (text: string): readonly string[] => [...text.matchAll(/\b[A-Z]\w*:[A-Z]\w*/g)].map(([name]) => name);

/** These name events and write none. */
const listsOfEvents = ['shared/kit/telemetry/lineSampling.ts', 'shared/kit/telemetry/metrics.ts'];
const named = ['shared', 'functions']
  .flatMap((folder) => filesIn(folder, '.ts'))
  .filter((file) => !listsOfEvents.includes(file))
  .flatMap((file) => [...read(file).matchAll(/(measureEvent\()?'([A-Z]\w*:[A-Z]\w*)'/g)]);
/** The lines that the service writes. */
const lines = new Set(named.flatMap(([, onlyMeasured, name = '']) => (onlyMeasured === undefined ? [name] : [])));
/** Events that are measured alone, and write no line. */
const measuredAlone = new Set(
  named.flatMap(([, onlyMeasured, name = '']) => (onlyMeasured === undefined ? [] : [name])),
);
const unwritten = (names: Iterable<string>): readonly string[] => [...names].filter((name) => !lines.has(name));

const asked = [...filesIn('infra/azure', '.kql'), ...filesIn('infra/azure', '.workbook.json')];

describe('a log line that the service writes is what', () => {
  test.each(asked)('%s asks for', (file) => {
    expect(unwritten(namesIn(read(file)))).toEqual([]);
  });
  test('is written once in so many', () => {
    expect(unwritten(sampledEvents)).toEqual([]);
  });
  test('feeds each figure, but for what is measured alone', () => {
    const measured = [...read('shared/kit/telemetry/metrics.ts').matchAll(/^ {2}'(\w+:\w+)': /gm)].map(
      ([, name = '']) => name,
    );
    expect(measured.length).toBeGreaterThan(5);
    expect(unwritten(measured).filter((name) => !measuredAlone.has(name))).toEqual([]);
  });
});

test('a line that is asked for and not written would be found, in queries and in the workbook', () => {
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.flatMap((file) => namesIn(read(file))).length).toBeGreaterThan(10);
  expect(unwritten(namesIn(`AppTraces | where Message has 'Job:Vanished' or Message has "Job:Failed"`))).toEqual([
    'Job:Vanished',
  ]);
  expect(unwritten(measuredAlone)).toEqual([...measuredAlone]);
  expect(measuredAlone).toContain('Call:Answered');
});
