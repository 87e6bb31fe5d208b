import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { breachesOf, found, importsOfProduct, tells, waysIn, type Imports, type Run, type Step } from './ways.js';
import { WaysUnderTest } from './waysUnderTest.js';

const ways = waysIn(readFileSync(join(import.meta.dirname, '../../CONTRIBUTING.md'), 'utf8'));
const product = importsOfProduct();

describe('the ways through the code that CONTRIBUTING.md lists', () => {
  let service: WaysUnderTest;
  let runs: Readonly<Record<'gdd' | 'upload' | 'scene' | 'click', Run>>;

  beforeAll(async () => {
    service = await WaysUnderTest.start();
    const [gdd, upload, scene] = [await service.runGddJob(), await service.uploadField(), await service.showScene()];
    runs = { gdd, upload, scene, click: await service.clickDay() };
  });
  afterAll(() => service.stop());

  const breaches = (run: Run, title: RegExp, most: number): readonly string[] => {
    const way = ways.find((each) => title.test(each.title));
    if (way === undefined) throw new Error(`There is no way ${title.source}.`);
    return breachesOf(way, most, product, run);
  };

  test('are four', () => {
    expect(ways).toHaveLength(4);
  });

  test('a GDD job: 15 files at most lead to all that it runs through, from the request to the insight', async () => {
    expect(await service.insights()).toBe(1);
    expect(breaches(runs.gdd, /^A GDD job/, 15)).toEqual([]);
  });

  test('an upload: 25 files at most lead to all that it runs through, to the first picture', async () => {
    expect(await service.images()).toContainEqual(expect.stringMatching(/2026-06-12\/ndvi\.tiff$/));
    expect(breaches(runs.upload, /^An upload/, 25)).toEqual([]);
  });

  test('a scene: 25 files at most lead to all that it runs through, from the poll to files and index', async () => {
    expect(await service.images()).toContainEqual(expect.stringMatching(/2026-06-14\/ndvi\.tiff$/));
    expect(breaches(runs.scene, /^A scene/, 25)).toEqual([]);
  });

  test('a day in the console: 15 files at most lead to all that runs, from the click to the picture', () => {
    expect(breaches(runs.click, /^A day/, 15)).toEqual([]);
  });
});

describe('a way through the code', () => {
  const imports: Imports = new Map([
    ['functions/a/one.ts', ['shared/jobs/two.ts']],
    ['shared/jobs/two.ts', ['shared/jobs/three.ts', 'shared/gdd/four.ts']],
    ['shared/jobs/three.ts', ['shared/jobs/inner.ts', 'shared/notices/five.ts']],
    ['shared/gdd/four.ts', ['shared/gdd/six.ts']],
  ]);
  const run = (...files: readonly string[]): Run => ({ files: new Set(files), handOvers: new Set(['queue jobs-gdd']) });
  const ran = run('functions/a/one.ts', 'shared/jobs/two.ts');
  const steps = (...files: readonly string[]): readonly Step[] => files.map((file) => ({ file }));
  const breaches = (listed: readonly Step[], done: Run, most = 2): readonly string[] =>
    breachesOf({ title: 'planted', steps: listed }, most, imports, done);

  test('keeps its rules where each file is run, reached and no other is left out', () => {
    const all = ['shared/jobs/three.ts', 'shared/jobs/inner.ts', 'shared/gdd/six.ts', 'shared/geo/grid/grid.ts'];
    const listed = steps('functions/a/one.ts', 'shared/jobs/two.ts');
    expect(breaches(listed, run(...ran.files, ...all))).toEqual([]);
  });

  test('breaks them with a file too many, and with one that is not run', () => {
    const listed = steps('functions/a/one.ts', 'shared/jobs/two.ts', 'shared/gdd/four.ts');
    expect(breaches(listed, ran)).toEqual(['3 files are more than 2', 'shared/gdd/four.ts is not run']);
  });

  test('breaks them with a folder that it leaves out', () => {
    const listed = steps('functions/a/one.ts', 'shared/jobs/two.ts');
    expect(breaches(listed, run(...ran.files, 'shared/notices/five.ts'))).toEqual([
      'shared/notices/five.ts is left out',
    ]);
  });

  test('breaks them with a file that nothing before it imports', () => {
    const listed = steps('shared/jobs/two.ts', 'functions/a/one.ts');
    expect(breaches(listed, ran)).toEqual(['functions/a/one.ts is reached by nothing before it']);
  });

  test.each<{ why: string; file: string; name: string; isReached: boolean }>([
    {
      why: 'a message of a queue reaches what takes it',
      file: 'shared/http/triggers/x.ts',
      name: 'jobs-gdd',
      isReached: true,
    },
    { why: 'a queue of which no message came', file: 'shared/http/triggers/x.ts', name: 'discovery', isReached: false },
    {
      why: 'a message reaches no file behind what takes it',
      file: 'shared/gdd/x.ts',
      name: 'jobs-gdd',
      isReached: false,
    },
  ])('takes a hand-over for what it is: $why', ({ file, name, isReached }) => {
    const listed = [{ file: 'functions/a/one.ts' }, { file, handOver: { by: 'queue', name } }] as const;
    const expected = isReached ? [] : [`${file} is reached by nothing before it`];
    expect(breaches(listed, run('functions/a/one.ts', file))).toEqual(expected);
  });

  test('finds a store behind the wiring with what is behind it, and of a use case nothing but its name', () => {
    const wired: Imports = new Map([
      ['shared/wiring/services.ts', ['shared/jobs/jobStore.ts', 'shared/gdd/runGddJob.ts']],
      ['shared/jobs/jobStore.ts', ['shared/jobs/jobRows.ts']],
      ['shared/gdd/runGddJob.ts', ['shared/gdd/days/season.ts']],
    ]);
    const expected = [
      'shared/wiring/services.ts',
      'shared/jobs/jobStore.ts',
      'shared/gdd/runGddJob.ts',
      'shared/jobs/jobRows.ts',
    ];
    expect([...found(['shared/wiring/services.ts'], wired)].sort()).toEqual(expected.sort());
  });

  test.each([
    ['shared/gdd/days/season.ts', true],
    ['shared/wiring/services.ts', true],
    ['console/map/warp.ts', true],
    ['shared/geo/grid/grid.ts', false],
    ['shared/kit/clock.ts', false],
    ['shared/kit/errors/catalogue.ts', false],
    ['shared/enrollments/record/enrollmentSchemas.ts', false],
    ['shared/scenes/stac/catalogueError.ts', false],
  ])('counts %s among what it has to lead to: %s', (file, isCounted) => {
    expect(tells(file)).toBe(isCounted);
  });
});
