import { describe, expect, test } from '@jest/globals';
import type { DataManager } from '../../../shared/jobs/dataManager/dataManager.js';
import type { IngestJob } from '../../../shared/jobs/dataManager/scenes.js';
import type { JobWork } from '../../../shared/jobs/steps/jobWork.js';
import { runSmartBoundaryJob } from '../../../shared/boundary/job/runSmartBoundaryJob.js';
import { ingestsLaneOf } from '../../../shared/work/lanes/lane.js';
import { CrowdedService, jobIds } from '../../jobs/crowdedService.js';
import { LICENCE } from './jobUnderTest.js';

const SLOTS = 5;
const LANE = ingestsLaneOf('https://data-manager.example');
const HOUR_MS = 3_600_000;
const parameters = {
  partyId: 'party',
  resourceId: 'farm',
  resourceType: 'FARM',
  imageStartDate: '2026-06-01',
  imageEndDate: '2026-06-12',
  pointOnSurface: { longitude: -92.97, latitude: 41.52 },
};

/** Ingests of so many milliseconds, as the data manager's log would show them. */
class Ingests {
  readonly started: { readonly tenant: string; readonly at: number }[] = [];
  most = 0;
  readonly #ends = new Map<string, number>();
  readonly #now: () => number;
  readonly #durationMs: number;

  constructor(now: () => number, durationMs: number) {
    this.#now = now;
    this.#durationMs = durationMs;
  }

  start(tenant: string, id: string): IngestJob {
    if (!this.#ends.has(id)) {
      this.started.push({ tenant, at: this.#now() });
      this.#ends.set(id, this.#now() + this.#durationMs);
      this.most = Math.max(this.most, [...this.#ends.values()].filter((end) => end > this.#now()).length);
    }
    return this.find(id);
  }

  find(id: string): IngestJob {
    return { id, status: this.#now() >= (this.#ends.get(id) ?? Infinity) ? 'succeeded' : 'running' };
  }
}

/** As much of a data manager as a job needs whose scenes nobody looks at. */
const dataManagerOf = (ingests: Ingests, tenant: string): DataManager =>
  ({
    getFarm: () => Promise.resolve({}),
    putField: () => Promise.resolve(),
    startSceneIngest: (id: string) => Promise.resolve(ingests.start(tenant, id)),
    getSceneIngest: (id: string) => Promise.resolve(ingests.find(id)),
    listScenes: () => Promise.resolve([]),
  }) as unknown as DataManager;

const answer = {
  outcome: 'field',
  polygon: {
    type: 'Polygon',
    coordinates: [
      [
        [-92.98, 41.51],
        [-92.96, 41.51],
        [-92.96, 41.53],
        [-92.98, 41.53],
        [-92.98, 41.51],
      ],
    ],
  },
  areaHectares: 370,
  perimeterMeters: 7780,
  confidence: 0.8,
  confidenceClass: 'high',
  touchesWindow: false,
  alternatives: [],
  moreDatesMayHelp: false,
  dates: [],
  method: 'network',
  modelVersion: 'test',
} as const;

interface Crowd {
  readonly service: CrowdedService;
  readonly ingests: Ingests;
}

function newCrowd(durationMs: number, atWork = 8): Crowd {
  let ingests: Ingests | undefined;
  const work = ({ clock, lanes }: CrowdedService): JobWork => {
    const log = (ingests ??= new Ingests(() => clock.now().getTime(), durationMs));
    return runSmartBoundaryJob({
      dataManagerFor: (tenant) => Promise.resolve({ dataManager: dataManagerOf(log, tenant) }),
      licences: { get: () => Promise.resolve(LICENCE) },
      lanes,
      ingestsLaneOf: () => Promise.resolve(LANE),
      findField: () => Promise.resolve({ answer, passed: [], mayGrow: false, picture: undefined }),
      clock,
    });
  };
  const service = new CrowdedService({
    solution: 'partnerAgPowered.smartBoundary',
    work,
    workers: 6,
    slots: (lane) => (lane === LANE ? SLOTS : atWork),
  });
  return { service, ingests: ingests! };
}

/** Creates jobs, a millisecond apart. */
async function created({ service }: Crowd, tenant: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await service.create(tenant, id, parameters);
    await service.clock.advance(1);
  }
}

describe('200 Smart Boundary jobs created at once, with ingests of 100 s', () => {
  const DURATION_MS = 100_000;
  const ids = jobIds('job', 200);

  test('all succeed, in the order of asking; the longest wait is within a tenth of the ideal', async () => {
    const crowd = newCrowd(DURATION_MS);
    const { service, ingests } = crowd;
    const start = service.clock.now().getTime();
    await created(crowd, 'tenant-a', ids);
    await service.untilEnded(ids, 6 * HOUR_MS);
    expect(await service.outcomes('tenant-a', ids)).toEqual({ SUCCEEDED: 200 });
    expect(ingests.most).toBe(SLOTS);
    const ends = ids.map((id) => service.ends.get(id)! - start);
    const ideal = (200 / SLOTS) * DURATION_MS;
    expect(Math.max(...ends)).toBeLessThanOrEqual(1.1 * ideal);
    // Whoever asked two rounds before another has ended before it.
    for (const [index, end] of ends.entries()) expect(end).toBeGreaterThanOrEqual(ends[index - 2 * SLOTS] ?? 0);
  });

  test('of ten tenants who share the data manager: each has had its turn before any has its next', async () => {
    const crowd = newCrowd(DURATION_MS);
    const { service, ingests } = crowd;
    const tenants = jobIds('tenant', 10);
    const start = service.clock.now().getTime();
    for (const tenant of tenants) await created(crowd, tenant, jobIds(tenant, 10));
    const all = tenants.flatMap((tenant) => jobIds(tenant, 10));
    await service.untilEnded(all, 6 * HOUR_MS);
    for (const tenant of tenants) expect(await service.outcomes(tenant, jobIds(tenant, 10))).toEqual({ SUCCEEDED: 10 });
    const last = Math.max(...all.map((id) => service.ends.get(id)! - start));
    expect(last).toBeLessThanOrEqual(1.1 * (100 / SLOTS) * DURATION_MS);
    // The first five were given before the others had asked.
    const order = ingests.started.slice(SLOTS).map(({ tenant }) => tenant);
    for (let round = 1; round + 1 < order.length / 10; round += 1)
      expect(new Set(order.slice(round * 10, round * 10 + 10)).size).toBeGreaterThanOrEqual(9);
  });
});

describe('60 jobs that keep the slots busy for four fifths of the time', () => {
  test('all succeed, and none waits for one that came after it', async () => {
    const DURATION_MS = 60_000;
    const crowd = newCrowd(DURATION_MS);
    const { service } = crowd;
    const ids = jobIds('job', 60);
    const asked = new Map<string, number>();
    for (const id of ids) {
      asked.set(id, service.clock.now().getTime());
      await created(crowd, 'tenant-a', [id]);
      await service.clock.advance(DURATION_MS / SLOTS / 0.8);
    }
    await service.untilEnded(ids, HOUR_MS);
    expect(await service.outcomes('tenant-a', ids)).toEqual({ SUCCEEDED: 60 });
    const waits = ids.map((id) => service.ends.get(id)! - asked.get(id)!);
    expect(Math.max(...waits)).toBeLessThan(2 * DURATION_MS);
  });
});

describe('a job that has a slot', () => {
  const DURATION_MS = 60_000;
  const ids = jobIds('job', 10);
  const open = ids.slice(SLOTS);

  async function fullService(): Promise<Crowd> {
    const crowd = newCrowd(DURATION_MS, 100);
    await created(crowd, 'tenant-a', ids);
    await crowd.service.clock.advance(1_000);
    expect(crowd.ingests.started).toHaveLength(SLOTS);
    return crowd;
  }

  test('gives it to the next as soon as it is cancelled', async () => {
    const { service, ingests } = await fullService();
    for (const id of ids.slice(0, 2)) await service.cancel('tenant-a', id);
    await service.clock.advance(500);
    expect(ingests.started).toHaveLength(SLOTS + 2);
  });

  test('loses it to the next when its end could not say so, at the second sweep', async () => {
    const { service, ingests } = await fullService();
    const leaveAll = service.lanes.leaveAll.bind(service.lanes);
    // The host died in this moment.
    service.lanes.leaveAll = () => undefined;
    await service.cancel('tenant-a', ids[0]!);
    service.lanes.leaveAll = leaveAll;
    await service.clock.advance(30_000);
    expect(ingests.started).toHaveLength(SLOTS);
    await service.untilEnded(open, HOUR_MS);
    expect(await service.outcomes('tenant-a', open)).toEqual({ SUCCEEDED: open.length });
    await service.clock.advance(5 * 60_000);
    expect(await service.laneStore.list()).toEqual([]);
  });

  test('whose message got lost on the way gets another, and those behind it are served meanwhile', async () => {
    const { service } = await fullService();
    let lost = 0;
    service.queue.loses = ({ jobId }) => open.includes(jobId) && (lost += 1) <= 2;
    await service.untilEnded(ids, HOUR_MS);
    expect(lost).toBeGreaterThan(2);
    expect(await service.outcomes('tenant-a', ids)).toEqual({ SUCCEEDED: ids.length });
  });
});
