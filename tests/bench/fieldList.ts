/**
 * What a page of 250 fields costs with no days of them and with 60 days of each: requests, storage operations, which must
 * not grow, and CPU of this process.
 *
 *   npm run bench:fields     (starts a service of its own for its storage, in memory)
 *
 * Azurite filters the whole table for every query, so that its own time is an upper bound.
 */
import { TableClient } from '@azure/data-tables';
import { randomUUID } from 'node:crypto';
import { AzureRows } from '../../shared/storage/azure/azureRows.js';
import { cursorKeysOf } from '../../shared/access/auth/apiKeyDigest.js';
import { systemClock } from '../../shared/kit/clock.js';
import { FIELDS_PER_WRITE, type FieldWrite } from '../../shared/enrollments/fields/fieldStore.js';
import { fieldsAnswer } from '../../shared/enrollments/lists/fieldSchemas.js';
import { listFields } from '../../shared/enrollments/lists/listFields.js';
import { EnrollmentStore } from '../../shared/enrollments/record/enrollmentStore.js';
import { FieldStore } from '../../shared/enrollments/fields/fieldStore.js';
import { randomId } from '../../shared/kit/ids.js';
import type { FieldDate } from '../../shared/enrollments/fields/fieldDate.js';
import { keepNewest } from '../../shared/imagery/documents/keepNewest.js';
import { newestOf } from '../../shared/enrollments/fields/newestDays.js';
import { TableFieldDateStore } from '../../shared/imagery/records/tableFieldDateStore.js';
import { addDays } from '../../shared/kit/validation/calendar.js';
import { cpuMsOf, median, startedService } from './service.js';
import { say, sized } from './figures.js';

const FIELDS = sized(250, 50);
const DATES = sized(60, 2);
const CALLS = sized(20);

const bench = await startedService();
let operations = 0;
const tableOf = (name: string): TableClient =>
  TableClient.fromConnectionString(bench.settings['DATA_STORAGE'] ?? '', name, {
    additionalPolicies: [
      {
        position: 'perRetry',
        policy: {
          name: 'count',
          sendRequest: (request, next) => {
            operations += 1;
            return next(request);
          },
        },
      },
    ],
  });
const rowsOf = (name: string) => new AzureRows(tableOf(name), randomId);
const fields = new FieldStore(rowsOf('fields'));
const fieldDates = new TableFieldDateStore(rowsOf('fieldDates'));
const ports = {
  fields,
  fieldDates,
  enrollments: new EnrollmentStore(rowsOf('enrollments')),
  cursorKeys: cursorKeysOf(new Map([['1', Buffer.alloc(32, 1)]])),
  clock: systemClock,
};
const customer = `bench-${randomUUID()}`;
const enrollmentId = randomUUID();
const ids = Array.from({ length: FIELDS }, (_, index) => `field-${index}`);

function writeOf(fieldId: string, index: number): FieldWrite {
  const period = { startDate: '2026-04-01', endDate: '2026-10-31', layers: ['ndvi'] as const };
  const corner = [13 + index / 100, 48] as const;
  const ring = Array.from({ length: 30 }, (_, step) => [corner[0] + step / 10_000, corner[1]] as const);
  const bbox = [corner[0], 48, corner[0] + 0.01, 48.01] as const;
  const outline = { geometry: { type: 'Polygon', coordinates: [ring] }, bbox, areaHa: 30 } as const;
  const geometryHash = String(index).padStart(64, '0');
  const shape = { areaHa: 30, bbox, epsg: 32633, geometryHash, positions: 30 };
  const holder = { enrollmentId, fieldId, geometryHash, activeUntil: '2026-11-10', ...period };
  const field = { customer, enrollmentId, index, fieldId, status: 'ready', shape, ...period } as const;
  return { field, holder, replaces: undefined, outline };
}

const dayOf = (fieldId: string, day: number): FieldDate => ({
  fieldId,
  date: addDays('2026-04-01', 3 * day),
  outcome: 'done',
  reason: null,
  clearPercent: 99.5,
  coveragePercent: 100,
  layers: ['ndvi'],
  skipped: {},
  scenes: ['scene'],
  basis: String(day),
  standing: '',
});

async function cost(what: string, call: () => Promise<void>): Promise<void> {
  await call();
  const [cpuMs, wallMs]: [number[], number[]] = [[], []];
  operations = 0;
  for (let index = 0; index < CALLS; index += 1) {
    const [before, startedAt] = [process.cpuUsage(), performance.now()];
    await call();
    cpuMs.push(cpuMsOf(process.cpuUsage(before)));
    wallMs.push(performance.now() - startedAt);
  }
  const each = (operations / CALLS).toFixed(1);
  say(
    `${what}: 1 request, ${each} operations, ${median(cpuMs).toFixed(1)} ms CPU, ${(median(wallMs) / 1000).toFixed(3)} s`,
  );
}

async function page(): Promise<void> {
  const { items, cursor } = await listFields(ports)(customer, { limit: FIELDS });
  if (items.length !== FIELDS) throw new Error(`${items.length} fields were listed.`);
  JSON.stringify(fieldsAnswer(items, cursor));
}

const writes = ids.map(writeOf);
for (let start = 0; start < FIELDS; start += FIELDS_PER_WRITE) {
  await fields.write({ customer, enrollmentId }, writes.slice(start, start + FIELDS_PER_WRITE));
}
await cost(`${FIELDS} fields without a day`, page);
const days = new Map(ids.map((id) => [id, Array.from({ length: DATES }, (_, day) => dayOf(id, day))]));
for (const recorded of days.values()) await fieldDates.merge(customer, recorded, (found) => found);
operations = 0;
const listed = await fields.findDays(customer, ids);
const newest = new Map([...days].map(([id, recorded]) => [id, newestOf(recorded)]));
await keepNewest(ports)(customer, { listed, newest });
say(`newest days of ${FIELDS} fields kept: ${operations} operations`);
await cost(`${FIELDS} fields with ${DATES} days each`, page);
await bench.stop();
