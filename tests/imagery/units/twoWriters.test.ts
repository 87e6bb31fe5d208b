import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { standingOf, standsAbove, type FieldDate } from '../../../shared/enrollments/fields/fieldDate.js';
import { settled } from '../../../shared/imagery/records/judgement.js';
import { LAYER_NAMES } from '../../../shared/scenes/layers/layers.js';
import { renderScenes, type RenderPorts } from '../../../shared/imagery/units/renderScenes.js';
import { sliceWorkOf } from '../../../shared/imagery/units/renderCell.js';
import type { RenderUnit } from '../../../shared/imagery/units/renderUnit.js';
import type { Scene } from '../../../shared/scenes/item/scene.js';
import { sceneDays } from '../../../shared/scenes/item/sceneChoice.js';
import { aScene } from '../builders.js';
import { ImageryUnderTest } from '../imageryUnderTest.js';
import { clearFields } from '../paintedReader.js';
import { tries } from '../../support/fullRun.js';

const DAY = '2026-06-17';
const BOX = [13.14, 48.29, 13.1436, 48.2925] as const;
const KEY = { customer: 'contoso', enrollmentId: 'e1' };
const ROOT = `contoso/field-imagery/sentinel-2/north/${DAY}`;
const first = aScene({ id: 'first' });
const second = aScene({ id: 'second', baseline: '05.12', generatedAt: '2026-06-19T00:00:00Z' });

/** A field whose second version is cloudier: no scouting layer is made of it. */
async function aService(): Promise<ImageryUnderTest> {
  const service = new ImageryUnderTest('2026-06-20T12:00:00Z');
  service.reader.paint = (scene, file, place) => {
    const isCloudy = scene.id === 'second' && place[0] < 362_080;
    if (file === 'scl') return isCloudy ? 9 : 4;
    return clearFields(scene, file, place) + (scene.id === 'second' ? 300 : 0);
  };
  const request = { startDate: DAY, endDate: DAY, layers: LAYER_NAMES };
  await service.enrol({ ...KEY, fields: [{ fieldId: 'north', box: BOX }], request });
  return service;
}

/** The work that a search leaves which sees these scenes. */
async function unitFor(service: ImageryUnderTest, scenes: readonly Scene[]): Promise<RenderUnit> {
  const [field] = await service.fields.listFields(KEY);
  if (field?.status !== 'ready') throw new Error('The field is not ready.');
  const [day] = sceneDays(scenes, field.shape);
  const slice = { key: '', customer: 'contoso', enrollmentId: 'e1', layers: LAYER_NAMES };
  return sliceWorkOf(slice, DAY, [{ field: { ...field, ...field.shape }, day: day! }])!.unit;
}

const hold = { signal: new AbortController().signal, isRepeated: false, progressed: () => Promise.resolve() };

/** The same ports, each call of which takes its turn when the scheduler says. */
function scheduled<T extends object>(scheduler: fc.Scheduler, port: T): T {
  return new Proxy(port, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const call = value.bind(target) as (...values: unknown[]) => Promise<unknown>;
      return scheduler.scheduleFunction(call);
    },
  });
}

/** The same ports; before the call of that number to any of them, something else happens to its end. */
function interrupted(ports: RenderPorts, at: number, happens: () => Promise<void>) {
  let calls = 0;
  const around = <T extends object>(port: T): T =>
    new Proxy(port, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        const call = value.bind(target) as (...values: unknown[]) => Promise<unknown>;
        return async (...values: unknown[]): Promise<unknown> => {
          calls += 1;
          if (calls === at) await happens();
          return await call(...values);
        };
      },
    });
  const { imagery, fieldDates } = ports;
  return { ports: { ...ports, imagery: around(imagery), fieldDates: around(fieldDates) }, calls: () => calls };
}

interface Item {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly assets: Readonly<Record<string, { readonly 'file:checksum': string }>>;
}

/** What a customer finds: the document, and the checksum of every file there is. */
function found({ imagery }: ImageryUnderTest) {
  const item = imagery.documents.get(`${ROOT}/metadata.json`)!.document as Item;
  const named = Object.entries(item.assets).map(([layer, asset]) => [layer, asset['file:checksum']]);
  const files = [...imagery.files].map(([path, bytes]) => [
    path.slice(ROOT.length + 1).replace('.tiff', ''),
    `1220${createHash('sha256').update(bytes).digest('hex')}`,
  ]);
  return {
    scenes: item.properties['fieldimagery:scenes'],
    named: Object.fromEntries(named) as object,
    files: Object.fromEntries(files) as object,
  };
}

describe('two units that work on one field and day with different versions of its scene', () => {
  test('leave what the better alone would, in whichever order their calls come', async () => {
    const alone = await aService();
    await renderScenes(alone.ports)('contoso', await unitFor(alone, [first, second]), hold);
    const expected = found(alone);
    expect(expected.scenes).toEqual(['second']);
    expect(Object.keys(expected.named)).toEqual(['ndvi', 'vegetation', 'true-color']);
    expect(expected.files).toEqual(expected.named);
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const service = await aService();
        const units = [await unitFor(service, [first]), await unitFor(service, [first, second])];
        const ports: RenderPorts = {
          ...service.ports,
          imagery: scheduled(scheduler, service.imagery),
          fieldDates: scheduled(scheduler, service.fieldDates),
        };
        await scheduler.waitFor(Promise.all(units.map((unit) => renderScenes(ports)('contoso', unit, hold))));
        expect(found(service)).toEqual(expected);
        const [record] = await service.fieldDates.list('contoso', 'north');
        expect(record).toMatchObject({ scenes: ['second'], layers: ['ndvi', 'vegetation', 'true-color'] });
      }),
      { numRuns: tries(60) },
    );
  });

  test.each([
    { why: 'the better while the worse is at work', outer: [first], inner: [first, second] },
    { why: 'the worse while the better is at work', outer: [first, second], inner: [first] },
  ])('leave the better one, wherever the one comes in between: $why', async ({ outer, inner }) => {
    let last = 0;
    for (let at = 1; last === at - 1; at += 1) {
      const service = await aService();
      const [outerUnit, innerUnit] = [await unitFor(service, outer), await unitFor(service, inner)];
      const between = interrupted(service.ports, at, () => renderScenes(service.ports)('contoso', innerUnit, hold));
      await renderScenes(between.ports)('contoso', outerUnit, hold);
      if (between.calls() < at) break;
      last = at;
      const { scenes, named, files } = found(service);
      expect({ at, scenes, layers: Object.keys(named) }).toEqual({
        at,
        scenes: ['second'],
        layers: ['ndvi', 'vegetation', 'true-color'],
      });
      expect(files).toEqual(named);
      const [record] = await service.fieldDates.list('contoso', 'north');
      expect(record).toMatchObject({ scenes: ['second'], layers: ['ndvi', 'vegetation', 'true-color'] });
    }
    // Reading the record, the document twice, the files, the document, the record, the index: each was come between.
    expect(last).toBeGreaterThan(8);
  });
});

describe('a document that names a file which is gone', () => {
  test('names it no more when another layer is added, until it is made again', async () => {
    const service = await aService();
    const unit = await unitFor(service, [first]);
    await renderScenes(service.ports)('contoso', unit, hold);
    service.imagery.files.delete(`${ROOT}/vegetation.tiff`);
    // The record is lost too, as after a restore: the next attempt looks at files and document alone.
    service.fieldDates.rows.clear();
    await renderScenes(service.ports)('contoso', unit, hold);
    const { named, files } = found(service);
    expect(Object.keys(named)).toEqual([...LAYER_NAMES]);
    expect(files).toEqual(named);
    expect(service.imagery.writes.filter((path) => path.endsWith('ndvi.tiff'))).toHaveLength(1);
  });
});

describe('the standing of a basis', () => {
  const someScenes = fc.array(
    fc.record({
      tile: fc.constantFrom('33UUP', '33UUQ', '33UVP'),
      baseline: fc.constantFrom('', '05.09', '05.10', '05.11'),
      generatedAt: fc.constantFrom('', '2026-06-17T13:00:00Z', '2026-06-18T13:00:00.5Z'),
      collection: fc.constantFrom('sentinel-2-l2a', 'sentinel-2-c1-l2a'),
    }),
    { maxLength: 5 },
  );
  const standing = (scenes: readonly Partial<Scene>[]): string =>
    standingOf(
      'geometry',
      scenes.map((scene, index) => [aScene({ ...scene, id: String(index) })]),
    );

  test('is higher with one scene more, and with a better version of one', () => {
    fc.assert(
      fc.property(someScenes, (scenes) => {
        const more = standing([...scenes, { tile: '33UTP' }]);
        expect(standsAbove(more, standing(scenes))).toBe(true);
        expect(standsAbove(standing([...scenes, { tile: '33UTP', baseline: '05.12' }]), more)).toBe(true);
      }),
    );
  });

  test('doesn’t depend on the order of the scenes', () => {
    fc.assert(
      fc.property(someScenes, (scenes) => {
        expect(standing(scenes)).toBe(standing(scenes.toReversed()));
      }),
    );
  });

  test('is neither higher nor lower than that of another geometry', () => {
    const [mine, other] = [standingOf('a', [[aScene()]]), standingOf('b', [])];
    expect([standsAbove(mine, other), standsAbove(other, mine)]).toEqual([false, false]);
  });
});

describe('records of one day that two units write', () => {
  const record = (standing: string, layers: FieldDate['layers']): FieldDate => ({
    fieldId: 'north',
    date: DAY,
    outcome: layers.length > 0 ? 'done' : 'cloud',
    reason: null,
    clearPercent: 1,
    coveragePercent: 100,
    layers,
    skipped: {},
    scenes: [standing],
    basis: standing,
    standing: `geometry,${standing}`,
  });

  test.each<{ why: string; worse: FieldDate; better: FieldDate; expected: Partial<FieldDate> }>([
    {
      why: 'the better basis wins',
      worse: record('1', ['ndvi', 'scouting']),
      better: record('2', ['ndvi']),
      expected: { basis: '2', layers: ['ndvi'], scenes: ['2'] },
    },
    {
      why: 'what the worse one made stays when nothing could be made of the better',
      worse: record('1', ['ndvi']),
      better: record('2', []),
      expected: { basis: '2', layers: ['ndvi'], scenes: ['1'] },
    },
    {
      why: 'a failure on the better basis leaves the worse one to be replaced',
      worse: record('1', ['ndvi']),
      better: { ...record('2', []), outcome: 'failed' },
      expected: { basis: '1', layers: ['ndvi'], scenes: ['1'] },
    },
    {
      why: 'on the same basis the layers of both count, with the share of the one that shows less',
      worse: record('1', ['ndvi']),
      better: { ...record('1', ['true-color']), coveragePercent: 97.5 },
      expected: { basis: '1', layers: ['ndvi', 'true-color'], coveragePercent: 97.5 },
    },
  ])('are the same whoever comes second: $why', ({ worse, better, expected }) => {
    expect(settled(better, worse)).toMatchObject(expected);
    expect(settled(worse, better)).toMatchObject(expected);
    expect(settled(better, undefined)).toEqual(better);
  });
});
