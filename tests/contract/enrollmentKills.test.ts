import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TableClient } from '@azure/data-tables';
import { BlobServiceClient } from '@azure/storage-blob';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { AzureBlobs } from '../../shared/storage/azure/azureBlobs.js';
import { AzureRows } from '../../shared/storage/azure/azureRows.js';
import { EnrollmentInputStore } from '../../shared/enrollments/record/enrollmentInputStore.js';
import type { EnrollmentKey } from '../../shared/enrollments/record/enrollment.js';
import { FieldStore } from '../../shared/enrollments/fields/fieldStore.js';
import { INGEST, ingestKind, MAX_INGEST_ATTEMPTS } from '../../shared/enrollments/ingest/ingestEnrollment.js';
import { handleWork } from '../../shared/work/handleWork.js';
import type { WorkItem } from '../../shared/work/item/workItem.js';
import { workPartitions, WorkStore } from '../../shared/work/item/workStore.js';
import { EnrollmentStore } from '../../shared/enrollments/record/enrollmentStore.js';
import { enrollmentOfWork } from '../../shared/enrollments/record/enrollmentWork.js';
import { randomId } from '../../shared/kit/ids.js';
import { aCollection, aFeature, aSubmittedRequest } from '../enrollments/builders.js';
import { appWith, startService, type RunningService } from '../faults/runningService.mjs';
import { shortWaits } from '../faults/variants.mjs';
import { multipartBody, multipartType, submissionParts } from '../support/multipart.js';
import { ManualClock } from '../support/manualClock.js';
import { nobodyListens } from '../support/nobodyListens.js';

/** Nothing here is measured: on a busy machine a host takes many seconds to start. `npm run faults -- E14` kills more. */
const DAY_MS = 24 * 3_600_000;
/** Fields of a submission, and corners of each: two megabytes, so that a kill finds the host at work on it. */
const FIELDS = 20;
const CORNERS = 3_000;
/** One kill fewer than the attempts after which an ingest is given up. */
const KILLS_IN_A_ROW = MAX_INGEST_ATTEMPTS - 1;

let running: RunningService;
let store: EnrollmentStore;
let inputs: EnrollmentInputStore;
let blobs: AzureBlobs;
let fields: FieldStore;
let work: WorkStore;
beforeAll(async () => {
  // A short lease and frequent sweeps, so that the work of a killed host is taken up within the test.
  running = await startService({ app: await appWith(shortWaits), environment: { JOB_LEASE_SECONDS: '5' } });
  const options = { userAgentOptions: {}, tlsOptions: { ca: readFileSync(running.service.caFile, 'utf8') } };
  const connection = running.settings['DATA_STORAGE'] ?? '';
  const tableOf = (name: string) => TableClient.fromConnectionString(connection, name, options);
  const rowsOf = (name: string) => new AzureRows(tableOf(name), randomId);
  store = new EnrollmentStore(rowsOf('enrollments'));
  fields = new FieldStore(rowsOf('fields'));
  work = new WorkStore(rowsOf('work'));
  const account = BlobServiceClient.fromConnectionString(connection, options);
  blobs = new AzureBlobs(account.getContainerClient('enrollment-inputs'));
  inputs = new EnrollmentInputStore(blobs);
});
afterAll(async () => {
  await running.stop();
});

/** A submission whose field ids begin with that of its round. */
function submissionOf(round: string): Uint8Array {
  const dense = (shift: number): number[][] => {
    const corners = Array.from({ length: CORNERS }, (_, index) => {
      const angle = (index / CORNERS) * 2 * Math.PI;
      return [13 + shift + 0.005 * Math.cos(angle), 48 + 0.004 * Math.sin(angle)];
    });
    return [...corners, corners[0]!];
  };
  const features = Array.from({ length: FIELDS }, (_, index) =>
    aFeature({ fieldId: `${round}-${index}`, geometry: { type: 'Polygon', coordinates: [dense(index / 50)] } }),
  );
  return multipartBody(submissionParts(JSON.stringify(upcoming()), JSON.stringify(aCollection(features))));
}

/** A period to come: no images are due yet, for which the hosts would have to work beside the ingest. */
function upcoming(): Record<string, unknown> {
  const day = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
  return aSubmittedRequest({ start_date: day(2), end_date: day(30) });
}

interface Attempt {
  /** Share of the body that is sent, 0–1. */
  readonly share: number;
  /** From the last byte to the kill; undefined: from the answer, however long it takes. */
  readonly delayMs: number | undefined;
  readonly isChunked: boolean;
  /** Under which the submission is repeated when nobody knows what became of it. */
  readonly key: string;
}

/** Sends a share of the body; gives the id of the enrollment if it was acknowledged. */
function submit(body: Uint8Array, { share, isChunked, key }: Attempt) {
  const headers = {
    'api-key': running.service.apiKey,
    'idempotency-key': key,
    'content-type': multipartType(),
    // The host takes a body of announced length whole before the function runs; a chunked one streams into it.
    ...(isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(body.length) }),
  };
  const call = request(`${running.service.baseUrl}/v1/enrollments`, { method: 'POST', headers });
  // A connection may also die after the answer has begun, when nobody waits for the answer's head any more.
  call.on('error', () => undefined);
  const acknowledged = once(call, 'response')
    .then(async ([answer]: IncomingMessage[]) => {
      const reply = await json(answer!);
      return answer!.statusCode === 202 ? (reply as { enrollment_id: string }).enrollment_id : undefined;
    })
    .catch(() => undefined);
  const sent = new Promise<void>((resolve) => {
    call.write(body.subarray(0, Math.floor(body.length * share)), () => {
      if (share === 1) call.end();
      resolve();
    });
  });
  return { sent, acknowledged };
}

/**
 * Submits, kills the host in the middle of it, and waits until another one serves. The acknowledgement may come before
 * the kill: nothing is over until both have come.
 */
async function submitAndKill(body: Uint8Array, attempt: Attempt): Promise<string | undefined> {
  const { sent, acknowledged } = submit(body, attempt);
  await sent;
  await (attempt.delayMs === undefined ? acknowledged : sleep(attempt.delayMs));
  const killed = hostPid();
  process.kill(killed, 'SIGKILL');
  const id = await acknowledged;
  await untilServedByAnother(killed);
  return id;
}

/** Sends the whole submission again until it is acknowledged: storage may be too busy for a while. */
async function repeat(body: Uint8Array, key: string): Promise<string> {
  for (;;) {
    const { acknowledged } = submit(body, { share: 1, delayMs: undefined, isChunked: false, key });
    const id = await acknowledged;
    if (id !== undefined) return id;
    await sleep(500);
  }
}

const hostPid = (): number => Number(readFileSync(join(dirname(dirname(running.service.caFile)), 'host.pid'), 'utf8'));

async function untilServedByAnother(killed: number): Promise<void> {
  while (hostPid() === killed) await sleep(20);
  for (;;) {
    const answer = await fetch(`${running.service.baseUrl}/health`).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(100);
  }
}

async function listAll(): Promise<{ readonly enrollment_id: string; readonly status: string }[]> {
  const reply = await fetch(`${running.service.baseUrl}/v1/enrollments?limit=200`, {
    headers: { 'api-key': running.service.apiKey },
  });
  return ((await reply.json()) as { items: { enrollment_id: string; status: string }[] }).items;
}

/** Waits until every enrollment is ingested or given up. */
async function allIngested(): ReturnType<typeof listAll> {
  let listed = await listAll();
  while (listed.some(({ status }) => status === 'received' || status === 'in_progress')) {
    await sleep(500);
    listed = await listAll();
  }
  return listed;
}

describe('a host that is killed', () => {
  const acknowledged: string[] = [];

  // Bodies of announced length and chunked ones in turn.
  test.each([
    [0.5, [0, 0]],
    // On a slow machine the first kills may come before the commit, on a quick one after it; the last comes after it on
    // any.
    [1, [0, 150, undefined]],
  ])('at %d of an upload leaves no part of an enrollment', async (share, delays) => {
    for (const [round, delayMs] of delays.entries()) {
      const isChunked = round % 2 === 0;
      const key = `${share}-${round}`;
      const body = submissionOf(key);
      let id = await submitAndKill(body, { share, delayMs, isChunked, key });
      // Storage may be too busy to take it: 503, and the next try finds the next host.
      while (delayMs === undefined && id === undefined)
        id = await submitAndKill(body, { share, delayMs, isChunked, key });
      if (share === 1) {
        const repeated = await repeat(body, key);
        expect(repeated).toBe(id ?? repeated);
        acknowledged.push(repeated);
      }
      if (round % KILLS_IN_A_ROW === KILLS_IN_A_ROW - 1) await allIngested();
    }
    const listed = await listAll();
    // Whatever was sent again under its key has made one enrollment.
    expect(listed.map(({ enrollment_id: id }) => id).sort()).toEqual([...acknowledged].sort());
    for (const { enrollment_id: enrollmentId } of listed) {
      const key: EnrollmentKey = { customer: running.service.customer, enrollmentId };
      await expect(inputs.readGeoJson(key)).resolves.toHaveProperty('length');
    }
    if (share < 1) expect(listed).toEqual([]);
  });

  test('takes up every enrollment that exists: each is ingested whole', async () => {
    const listed = await allIngested();
    expect(running.log.filter((line) => line.includes('Enrollment:GivenUp'))).toEqual([]);
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.map(({ status }) => status)).toEqual(listed.map(() => 'completed'));
  });

  test('leaves inputs without an enrollment at most, and these are removed a day later', async () => {
    const clock = new ManualClock(new Date(Date.now() + DAY_MS + 60_000).toISOString());
    const unused = (): never => {
      throw new Error('Of what died nothing is ingested.');
    };
    const left = { ...nobodyListens, enrollments: store, inputs, fields, clock, log: () => undefined };
    const kind = ingestKind({ ...left, inspectFields: unused, standingField: unused, beginMonitoring: unused }, 60_000);
    // An ingest stands in no lane.
    const lanes = { leave: unused, leaveAll: () => undefined, parked: unused, wait: unused, comeAgain: unused };
    const ports = {
      ...{ store: work, queues: unused, lanes, clock, newId: randomId },
      random: Math.random,
      log: () => undefined,
      isHeld: () => Promise.resolve(false),
    };
    const handle = handleWork(ports, new Map([[kind.kind, kind]]));
    const listOpen = async () => {
      const due = await Promise.all(workPartitions.map((partition) => work.listDue(partition, clock.now().getTime())));
      // Duties are work that is never done.
      return due.flat().flatMap(({ item }) => (item.kind === INGEST ? [item] : []));
    };
    // An ingest that has ended is still open until it has begun the monitoring.
    const isOfEnrollment = async (item: WorkItem): Promise<boolean> =>
      (await store.find(enrollmentOfWork(item))) !== undefined;
    while ((await Promise.all((await listOpen()).map(isOfEnrollment))).includes(true)) await sleep(500);
    for (const item of await listOpen()) await handle(item);
    expect(await listOpen()).toEqual([]);
    const rows = new Set((await listAll()).map(({ enrollment_id: id }) => id));
    for (const { name } of await blobs.list(`${running.service.customer}/enrollments/`)) {
      expect(rows.has(name.split('/')[2] ?? '')).toBe(true);
    }
  });
});
