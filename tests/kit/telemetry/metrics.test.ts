import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RasterError } from '../../../shared/raster/tiff/rasterError.js';
import type { FieldFinding } from '../../../shared/boundary/job/findField.js';
import { jsonLog } from '../../../shared/kit/telemetry/telemetry.js';
import { aScene } from '../../imagery/builders.js';
import { ImageryUnderTest } from '../../imagery/imageryUnderTest.js';
import { clearFields } from '../../imagery/paintedReader.js';
import { finds, found, refused } from '../../boundary/job/findings.js';
import { ownBoundaryWorld } from '../../boundary/job/ownBoundaryWorld.js';
import { collectFigures, type Figures } from '../../support/figures.js';

let figures: Figures;
beforeAll(() => {
  figures = collectFigures();
});
afterAll(() => figures.stop());

test('jobs that ended are counted by solution and outcome, and by nothing of their caller', async () => {
  const log = jsonLog(() => undefined);
  const facts = { tenant: 'tenant-a', jobId: 'spring-corn', solution: 'partnerAgPowered.gdd', seconds: 3 };
  log('Job:Succeeded', { ...facts, outcome: 'SUCCEEDED' });
  log('Job:Succeeded', { ...facts, outcome: 'SUCCEEDED' });
  log('Job:Failed', { ...facts, outcome: 'FAILED' });
  expect(await figures.pointsOf('jobs.ended')).toEqual([
    { attributes: { solution: 'partnerAgPowered.gdd', outcome: 'SUCCEEDED' }, value: 2 },
    { attributes: { solution: 'partnerAgPowered.gdd', outcome: 'FAILED' }, value: 1 },
  ]);
});

test("slow requests are counted, but for uploads, whose time is the caller's", async () => {
  const log = jsonLog(() => undefined);
  for (const [operation, durationMs] of [
    ['slowOne', 2_001],
    ['slowOne', 2_000],
    ['enrollmentsSubmit', 60_000],
  ] as const) {
    log('Request:Answered', { operation, status: 200, durationMs });
  }
  expect(await figures.pointsOf('requests.slow')).toEqual([{ attributes: { operation: 'slowOne' }, value: 1 }]);
});

test('jobs that took longer than a quarter of an hour are counted, those that failed are not', async () => {
  const log = jsonLog(() => undefined);
  log('Job:Succeeded', { solution: 's', outcome: 'SUCCEEDED', seconds: 901 });
  log('Job:Succeeded', { solution: 's', outcome: 'SUCCEEDED', seconds: 900 });
  log('Job:Failed', { solution: 's', outcome: 'FAILED', seconds: 5_000 });
  expect(await figures.pointsOf('jobs.slow')).toEqual([{ attributes: { solution: 's' }, value: 1 }]);
});

describe('attempts at work that failed', () => {
  const attributes = { kind: 'gdd', code: 'GDD-05003' };

  test('are counted where they were attempts at jobs, and apart where they had a result and could not publish it', async () => {
    const log = jsonLog(() => undefined);
    log('Work:AttemptFailed', { ...attributes, owner: 'tenant-a', id: 'spring-corn', attempt: 1 });
    log('Work:AttemptFailed', { ...attributes, step: 'publication', next: 'publication' });
    log('Work:AttemptFailed', { kind: 'ingest' });
    expect(await figures.pointsOf('jobs.attempts.failed')).toEqual([{ attributes, value: 2 }]);
    expect(await figures.pointsOf('jobs.publications.failed')).toEqual([{ attributes, value: 1 }]);
  });

  test('are no attempts at a job behind its end: what could not be taken back is counted by itself', async () => {
    const log = jsonLog(() => undefined);
    const before = await figures.pointsOf('jobs.attempts.failed');
    for (const step of ['withdraw', 'rerun', 'tell']) log('Work:AttemptFailed', { ...attributes, step, next: step });
    expect(await figures.pointsOf('jobs.attempts.failed')).toEqual(before);
    expect(await figures.pointsOf('jobs.withdrawals.failed')).toEqual([{ attributes: { kind: 'gdd' }, value: 1 }]);
  });
});

test('tries at webhooks are counted by outcome, and the way of an event is measured where it ends', async () => {
  const log = jsonLog(() => undefined);
  const facts = { owner: 'c_contoso', webhook: 'wh_1', eventId: 'e' };
  log('Notice:Relayed', { owner: 'c_contoso', types: [], lagMs: 40 });
  log('Notice:Delivered', { ...facts, attempt: 1, outcome: 'failed', lagMs: 90 });
  log('Notice:Delivered', { ...facts, attempt: 2, outcome: 'delivered', lagMs: 5_100 });
  expect(await figures.pointsOf('notices.tries')).toEqual([
    { attributes: { outcome: 'failed' }, value: 1 },
    { attributes: { outcome: 'delivered' }, value: 1 },
  ]);
  expect(await figures.pointsOf('notices.relayed')).toMatchObject([{ attributes: {}, value: { sum: 40, count: 1 } }]);
  expect(await figures.pointsOf('notices.delivered')).toMatchObject([
    { attributes: { attempt: 2 }, value: { sum: 5_100, count: 1 } },
  ]);
});

test('an event that no line is written for is counted all the same', async () => {
  const lines: string[] = [];
  const log = jsonLog((line) => lines.push(line));
  for (let count = 0; count < 300; count += 1)
    log('Request:Answered', { operation: 'rush', status: 200, durationMs: 1 });
  const points = await figures.pointsOf('requests.duration');
  const rush = points.find(({ attributes }) => attributes['operation'] === 'rush')?.value as { count: number };
  expect(rush.count).toBe(300);
  expect(lines.length).toBeLessThan(20);
});

describe('fields on days are counted by what became of them', () => {
  const fields = [0, 1, 2].map((index) => ({
    fieldId: `f${index}`,
    box: [13.14 + index * 0.01, 48.29, 13.144 + index * 0.01, 48.2925] as const,
  }));
  const countOf = async (outcome: string): Promise<number> => {
    const points = await figures.pointsOf('field_dates.recorded');
    return (points.find(({ attributes }) => attributes['outcome'] === outcome)?.value as number | undefined) ?? 0;
  };
  const sceneOn = (day: string) =>
    aScene({ id: `S2B_33UUP_${day}`, takenAt: `${day}T10:05:59.000Z`, generatedAt: `${day}T13:00:00Z` });

  test('done, clouded and broken', async () => {
    const imagery = new ImageryUnderTest('2026-06-20T12:00:00Z');
    const [clear, clouded, broken] = ['2026-06-12', '2026-06-14', '2026-06-17'].map(sceneOn);
    for (const scene of [clear, clouded, broken]) imagery.catalogue.add(scene!);
    imagery.reader.paint = (scene, file, place) =>
      scene.id === clouded!.id && file === 'scl' ? 9 : clearFields(scene, file, place);
    imagery.reader.faults.set(broken!.id, new RasterError('corrupt', 'the file is cut short'));
    const request = { startDate: '2026-06-10', endDate: '2026-06-18', layers: ['ndvi'] as const };
    await imagery.enrol({ customer: 'contoso', enrollmentId: 'e1', fields, request });
    await imagery.drain();
    expect(await countOf('done')).toBe(3);
    expect(await countOf('cloud')).toBe(3);
    expect(await countOf('failed')).toBe(3);
  });
});

describe('the confidence of boundaries', () => {
  const folder = mkdtempSync(join(tmpdir(), 'no-scenes-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const run = async (finding: FieldFinding): Promise<void> => {
    const world = await ownBoundaryWorld({ scenes: folder, ...finds(finding) });
    await world.create({ pointOnSurface: { longitude: -92.97, latitude: 41.52 } });
    await world.drain();
    await world.close();
  };
  interface Histogram {
    readonly count: number;
    readonly buckets: { readonly boundaries: readonly number[]; readonly counts: readonly number[] };
  }
  const classOf = ({ buckets }: Histogram): number => buckets.boundaries[buckets.counts.indexOf(1)]!;

  test('falls into classes between 0 and 1, refusals apart', async () => {
    await run(found());
    await run(refused('no-field'));
    const points = await figures.pointsOf('boundary.confidence');
    expect(points.map(({ attributes }) => attributes)).toEqual([
      { outcome: 'field', confidenceClass: 'high' },
      { outcome: 'refused' },
    ]);
    const [field, refusal] = points.map(({ value }) => value as Histogram);
    expect([field!.count, refusal!.count]).toEqual([1, 1]);
    expect([classOf(field!), classOf(refusal!)]).toEqual([0.85, 0.2]);
  });
});
