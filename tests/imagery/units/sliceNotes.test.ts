import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { updateIndexes } from '../../../shared/imagery/documents/updateIndexes.js';
import { itemsIn } from '../../../shared/imagery/documents/itemCollection.js';
import { packDocuments } from '../../../shared/imagery/units/sliceNotes.js';
import type { NotedField } from '../../../shared/imagery/units/sliceNotes.js';
import { textOfUnit, UNIT, type UnitKey } from '../../../shared/imagery/units/unit.js';
import { unitKind } from '../../../shared/imagery/units/unitKind.js';
import { aScene } from '../builders.js';
import { LEASE_MS } from '../imageryUnderTest.js';
import { UnitsUnderTest } from './unitsUnderTest.js';
import { tries } from '../../support/fullRun.js';

const BOX = [13.14, 48.29, 13.1436, 48.2925] as const;
const ROOT = 'contoso/field-imagery/sentinel-2/north';
const DAYS = ['2026-06-05', '2026-06-10', '2026-06-15'] as const;

async function aService(): Promise<UnitsUnderTest> {
  const service = new UnitsUnderTest('2026-06-17T18:00:00Z');
  const request = { startDate: '2026-06-01', endDate: '2026-06-30', layers: ['ndvi'] } as const;
  const fields = [{ fieldId: 'north', box: BOX }];
  await service.enrol({ customer: 'contoso', enrollmentId: 'e1', fields, request });
  return service;
}

const sceneOf = (date: string) => {
  const day = date.replaceAll('-', '');
  const datatake = `GS2B_${day}T100559_043001`;
  return aScene({ id: date, takenAt: `${date}T10:05:59.000Z`, datatake, datastripStart: `${day}T100612` });
};

/** The unit that the scene of a day opens. */
async function unitOf(service: UnitsUnderTest, date: string): Promise<UnitKey> {
  await service.fanOut(await service.publish(sceneOf(date)));
  return (await service.takeUnit())!;
}

async function see(service: UnitsUnderTest, ...dates: readonly string[]): Promise<void> {
  for (const date of dates) await service.runUnit(await unitOf(service, date));
}

const documentOf = (service: UnitsUnderTest, name: string): unknown =>
  service.imagery.documents.get(`${ROOT}/${name}`)?.document;

/** The days that each of the field's documents tells. */
function told(service: UnitsUnderTest) {
  const index = documentOf(service, 'index.json') as { 'fieldimagery:dates': readonly { date: string }[] };
  const lines = String(documentOf(service, 'statistics.csv')).trim().split('\r\n').slice(1);
  return {
    index: index['fieldimagery:dates'].map(({ date }) => date),
    items: [...itemsIn(documentOf(service, 'items.json')).keys()],
    lines: lines.map((line) => line.slice(0, DAYS[0].length)),
  };
}
const all = (days: readonly string[]) => ({ index: days, items: days, lines: days });

/** The same ports, each call of which takes its turn when the scheduler says. */
function scheduled<T extends object>(scheduler: fc.Scheduler, port: T): T {
  return new Proxy(port, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return scheduler.scheduleFunction(value.bind(target) as (...values: unknown[]) => Promise<unknown>);
    },
  });
}

describe('notes of a slice', () => {
  test('save every read of what was written last', async () => {
    const service = await aService();
    await see(service, DAYS[0]);
    const reads: string[] = [];
    for (const [name, port] of Object.entries({ imagery: service.imagery, fieldDates: service.fieldDates })) {
      for (const method of ['readIndex', 'readItems', 'findStatistics', 'findItem', 'findLayer', 'list']) {
        const call = Reflect.get(port, method) as ((...values: unknown[]) => unknown) | undefined;
        if (call === undefined) continue;
        const counted = (...values: unknown[]): unknown => {
          reads.push(`${name}.${method}`);
          return Reflect.apply(call, port, values);
        };
        Object.assign(port, { [method]: counted });
      }
    }
    await see(service, DAYS[1]);
    expect(reads).toEqual([]);
    expect(told(service)).toEqual(all(DAYS.slice(0, 2)));
  });

  test('lost or unreadable change nothing of what customers find', async () => {
    const [noted, forgetful] = [await aService(), await aService()];
    forgetful.notes.read = () => Promise.resolve([]);
    for (const service of [noted, forgetful]) await see(service, ...DAYS);
    expect(forgetful.all('contoso')).toEqual(noted.all('contoso'));
    expect(told(noted)).toEqual(all(DAYS));
  });

  test('that are older than the documents are not believed', async () => {
    const service = await aService();
    await see(service, DAYS[0]);
    const old = new Map(service.notes.notes);
    await see(service, DAYS[1]);
    for (const [key, text] of old) service.notes.notes.set(key, text);
    await see(service, DAYS[2]);
    expect(told(service)).toEqual(all(DAYS));
  });

  test('that know nothing of a day leave it as it was recorded: what has had its time is not linked again', async () => {
    const service = await aService();
    await see(service, DAYS[0]);
    const [key, old] = [...service.notes.notes][0]!;
    const documents = await packDocuments({ recorded: [] });
    const forgotten = (JSON.parse(old) as NotedField[]).map((field) => ({ ...field, documents }));
    const [record] = await service.fieldDates.list('contoso', 'north');
    const { rows } = service.fieldDates;
    const [rowKey] = [...rows.keys()];
    rows.set(rowKey!, { ...record!, outcome: 'expired', layers: [] });
    service.notes.notes.set(key, JSON.stringify(forgotten));
    const better = { ...sceneOf(DAYS[0]), baseline: '05.12', generatedAt: '2026-06-17T13:00:00Z' };
    await service.fanOut(await service.publish(better));
    expect(await service.doUnits()).toBe(1);
    expect((await service.fieldDates.list('contoso', 'north')).map(({ outcome }) => outcome)).toEqual(['expired']);
    expect(told(service)).toEqual({ index: [DAYS[0]], items: [], lines: [] });
  });

  test('do not know what work without notes has recorded of an earlier day: its layers stay when better scenes come', async () => {
    const service = await aService();
    const fields = [{ fieldId: 'north', box: BOX }];
    const request = { startDate: '2026-06-01', endDate: '2026-06-30', layers: ['true-color'] } as const;
    await service.enrol({ customer: 'contoso', enrollmentId: 'e2', fields, request });
    await see(service, DAYS[0], DAYS[2]);
    const old = new Map(service.notes.notes);
    await see(service, DAYS[1]);
    for (const [key, text] of old) service.notes.notes.set(key, text);
    const entries = await service.interest.listTile('33UUP');
    await service.interest.remove(entries.filter(({ enrollmentId }) => enrollmentId === 'e2'));
    const better = { ...sceneOf(DAYS[1]), baseline: '05.12', generatedAt: '2026-06-17T13:00:00Z' };
    await service.fanOut(await service.publish(better));
    expect(await service.doUnits()).toBe(1);
    const [record] = await service.fieldDates.list('contoso', 'north', { from: DAYS[1], to: DAYS[1] });
    expect(record?.layers).toEqual(['ndvi', 'true-color']);
  });

  test('of another shape of the field count for none', async () => {
    const service = await aService();
    await see(service, DAYS[0]);
    const [key, text] = [...service.notes.notes][0]!;
    const other = (JSON.parse(text) as NotedField[]).map((field) => ({ ...field, geometryHash: 'other' }));
    service.notes.notes.set(key, JSON.stringify(other));
    await see(service, DAYS[1]);
    expect(told(service)).toEqual(all(DAYS.slice(0, 2)));
  });
});

test("the documents of a slice are unpacked when it is their field's turn: those of eight fields at once", async () => {
  const service = await aService();
  const fields = Array.from({ length: 30 }, (_, index) => ({ fieldId: `f${index}`, geometryHash: 'none', bbox: BOX }));
  const held = new Set<string>();
  let most = 0;
  const known = (fieldId: string) => async () => {
    most = Math.max(most, held.add(fieldId).size);
    return Promise.resolve(undefined);
  };
  const done = new Map(fields.map(({ fieldId }) => [fieldId, { known: known(fieldId) }]));
  const keep = async (fieldId: string): Promise<void> => {
    await Promise.resolve();
    held.delete(fieldId);
  };
  await updateIndexes(service.ports)('contoso', fields, { done, keep });
  expect([held.size, most]).toEqual([0, 8]);
});

describe('two units of one field that are at work on different days at once', () => {
  test('lose none of the days, in whichever order their calls come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.boolean(), async (scheduler, isNoted) => {
        const service = await aService();
        if (isNoted) await see(service, DAYS[0]);
        const units = [await unitOf(service, DAYS[1]), await unitOf(service, DAYS[2])];
        const { unitPorts } = service;
        const ports = {
          ...unitPorts,
          imagery: scheduled(scheduler, service.imagery),
          fieldDates: scheduled(scheduler, service.fieldDates),
          fields: scheduled(scheduler, service.fields),
          notes: scheduled(scheduler, service.notes),
        };
        const kind = unitKind(ports, LEASE_MS);
        const handle = (unit: UnitKey) => service.kernel.handle({ kind: UNIT, id: `|${textOfUnit(unit)}` }, kind);
        await scheduler.waitFor(Promise.all(units.map(handle)));
        expect(service.kernel.events).toEqual([]);
        const days = DAYS.slice(isNoted ? 0 : 1);
        expect(told(service)).toEqual(all(days));
        const [listed] = await service.fields.findDays('contoso', ['north']);
        expect(listed?.newestPicture).toBe(DAYS[2]);
        // Whatever of the notes came last, the next day goes on from what is there.
        await see(service, '2026-06-17');
        expect(told(service)).toEqual(all([...days, '2026-06-17']));
      }),
      { numRuns: tries(60) },
    );
  });
});
