import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomInt, randomUUID } from 'node:crypto';
import type { UnitStore } from '../../../shared/imagery/units/unitPorts.js';
import { askedAnew, movedOut, openedUnit, takenUp, type OpenUnit } from '../../../shared/imagery/units/unitWork.js';
import { claimed, resent, waiting } from '../../../shared/imagery/work/imageryWork.js';

const NOW = Date.parse('2026-06-17T18:00:00Z');
const CUT = { cell: 7, part: '0', from: '07|a|e|00', to: '07|b|e|03' };

/** What every store of units does; the store may hold units of others. */
export function describeUnitStore(where: string, newStore: () => UnitStore): void {
  describe(`open work by place ${where}`, () => {
    let store: UnitStore;
    let tile: string;
    const date = '2026-06-17';
    const facts = () => ({ tile, date, version: 'v1', lane: 'live', publishedAt: NOW - 60_000 }) as const;
    const aUnit = (more: Partial<OpenUnit> = {}): OpenUnit => ({ ...openedUnit(CUT, facts(), NOW), ...more });
    const write = (...units: readonly OpenUnit[]) =>
      store.write(
        tile,
        date,
        units.map((unit) => ({ unit })),
      );
    const stored = async (unit: OpenUnit) => (await store.find(unit))!;
    /** Taken up by an attempt. */
    async function held(unit: OpenUnit, claim: string = randomUUID()) {
      const { unit: found, etag } = await stored(unit);
      const mine = claimed(takenUp(found, claim), NOW + 60_000);
      const written = (await store.replace(mine, etag))!;
      expect(written).toMatchObject({ isAskedAnew: false });
      return { mine, mark: written.etag };
    }

    beforeEach(() => {
      store = newStore();
      tile = `${randomInt(10, 60)}T${randomUUID().slice(0, 8)}`;
    });

    test('is found as it was written, all its properties', async () => {
      const unit = aUnit({
        failure: 'it rained',
        at: { slice: 'a|e|0|0', deaths: 1 },
        only: { mark: 'm', slices: ['a|e|0|0', 'b|e|0|0'] },
        except: ['c|e|0|0'],
      });
      expect(await write(unit, aUnit({ part: '1' }))).toBeDefined();
      expect((await stored(unit)).unit).toEqual(unit);
      expect(await store.find({ ...unit, cell: 8 })).toBeUndefined();
      expect((await store.listDay(tile, date)).open.map(({ unit: { part } }) => part)).toEqual(['0', '1']);
      expect((await store.listDay(tile, '2026-06-18')).open).toEqual([]);
    });

    test('is written by one of two who have seen the same', async () => {
      expect(await write(aUnit())).toBeDefined();
      expect(await write(aUnit())).toBeUndefined();
      const { unit, etag } = await stored(aUnit());
      const change = { unit: { ...unit, version: 'v2' }, etag };
      expect(await store.write(tile, date, [change])).toBeDefined();
      expect(await store.write(tile, date, [change])).toBeUndefined();
    });

    test('is written hundreds at once', async () => {
      expect(await write(...Array.from({ length: 230 }, (_, part) => aUnit({ part: String(part) })))).toHaveLength(230);
      expect((await store.listDay(tile, date)).open).toHaveLength(230);
    });

    test('is held by one of two attempts', async () => {
      await write(aUnit());
      const { unit, etag } = await stored(aUnit());
      expect(await store.replace(claimed(takenUp(unit, 'one'), NOW), etag)).toBeDefined();
      expect(await store.replace(claimed(takenUp(unit, 'other'), NOW), etag)).toBeUndefined();
    });

    test('stays with its attempt when something else is asked of it, and ends only after that', async () => {
      await write(aUnit());
      const { mine, mark } = await held(aUnit());
      const { unit, etag } = await stored(mine);
      const change = { unit: askedAnew(unit, aUnit({ version: 'v2' })), etag };
      expect(await store.write(tile, date, [change])).toBeDefined();
      const counts = { customers: 1, fields: 1 };
      expect(await store.finish(mine, counts, mark)).toBe('changed');
      const renewed = await store.replace({ ...mine, attempts: 1, notBefore: NOW + 90_000 }, mark, mine.claim);
      expect(renewed).toMatchObject({ isAskedAnew: true });
      expect(await store.finish(mine, counts)).toBe('changed');
      const now = (await stored(mine)).unit;
      expect(now).toMatchObject({ version: 'v2', claim: mine.claim, notBefore: NOW + 90_000 });
      expect(await store.finish(now, { customers: 1, fields: 5 })).toBe('done');
      expect(await store.find(mine)).toBeUndefined();
      const { done } = await store.listDay(tile, date);
      expect(done).toMatchObject([{ tile, date, cell: 7, part: '0', customers: 1, fields: 5 }]);
      expect(await store.finish(now, { customers: 1, fields: 5 })).toBe('lost');
    });

    test('is given back by its attempt with what is asked of it meanwhile, and then to nobody’s older mark', async () => {
      const before = aUnit({ lane: 'late' });
      await write({ ...before, at: { slice: 'a|e|0|0', deaths: 1 } });
      const { mine, mark } = await held(before);
      const more = { version: 'v2', from: '07|A|e|00', to: '07|z|e|00', lane: 'live', publishedAt: NOW } as const;
      const { unit, etag } = await stored(mine);
      expect(await store.write(tile, date, [{ unit: askedAnew(unit, aUnit(more)), etag }])).toBeDefined();
      const { at: _at, ...returned } = waiting({ ...mine, claim: '' }, NOW + 90_000, 'no answer');
      expect(await store.replace(returned, mark, mine.claim)).toMatchObject({ isAskedAnew: true });
      const now = (await stored(mine)).unit;
      const { attempts, waits, notBefore, checkAt } = returned;
      expect(now).toEqual({ ...before, ...more, attempts, waits, notBefore, checkAt, failure: 'no answer' });
      expect({ attempts, waits, at: now.at }).toEqual({ attempts: 0, waits: 1, at: undefined });
      expect(await store.replace(returned, mark, mine.claim)).toBeUndefined();
    });

    test('is left to its attempt by whoever read it before the attempt wrote last', async () => {
      await write(aUnit());
      const { mine, mark } = await held(aUnit());
      const before = await stored(mine);
      expect(await store.replace(claimed(mine, NOW + 90_000), mark, mine.claim)).toBeDefined();
      expect(await store.replace(resent(before.unit, NOW), before.etag)).toBeUndefined();
      expect((await stored(mine)).unit).toMatchObject({ notBefore: NOW + 90_000, checkAt: NOW + 90_000 });
    });

    test('is ended by the mark of what its attempt wrote last, and by an older one as well', async () => {
      await write(aUnit(), aUnit({ part: '1' }));
      for (const [part, renews] of [
        ['0', false],
        ['1', true],
      ] as const) {
        const { mine, mark } = await held(aUnit({ part }));
        if (renews) expect(await store.replace(mine, mark)).toMatchObject({ isAskedAnew: false });
        expect(await store.finish(mine, { customers: 1, fields: 1 }, mark)).toBe('done');
        expect(await store.find(mine)).toBeUndefined();
        // Its end may be our own, whose answer was lost: then only the memory of it is missing.
        expect(await store.finish(mine, { customers: 1, fields: 1 }, mark)).toBe('done');
        expect(await store.finish(mine, { customers: 1, fields: 1 })).toBe('lost');
      }
      expect((await store.listDay(tile, date)).done).toHaveLength(2);
    });

    test('is held by the mark of its first write, unless somebody has written since', async () => {
      const marks = await write(aUnit(), aUnit({ part: '1' }));
      const [first, second] = [aUnit(), aUnit({ part: '1' })];
      expect(await store.replace(claimed(takenUp(first, 'one'), NOW), marks![0]!)).toBeDefined();
      const { unit, etag } = await stored(second);
      await store.write(tile, date, [{ unit: { ...unit, version: 'v2' }, etag }]);
      expect(await store.replace(claimed(takenUp(second, 'one'), NOW), marks![1]!)).toBeUndefined();
      expect((await stored(second)).unit).toMatchObject({ claim: '', version: 'v2' });
    });

    test('cannot be ended by an attempt that has lost it', async () => {
      await write(aUnit());
      const { mine, mark } = await held(aUnit());
      await held(aUnit());
      expect(await store.finish(mine, { customers: 1, fields: 1 })).toBe('lost');
      expect(await store.finish(mine, { customers: 1, fields: 1 }, mark)).toBe('lost');
      expect((await store.listDay(tile, date)).done).toEqual([]);
    });

    test('becomes two, both or neither', async () => {
      await write(aUnit());
      const found = await stored(aUnit());
      const parts = movedOut(found.unit, 'a|e|0|0', NOW);
      expect(await store.split({ ...found, etag: 'W/"0"' }, parts)).toBe(false);
      expect((await store.listDay(tile, date)).open).toHaveLength(1);
      expect(await store.split(found, parts)).toBe(true);
      const units = (await store.listDay(tile, date)).open.map(({ unit }) => unit);
      expect(units.map(({ only, except }) => [only?.slices, except])).toEqual([
        [undefined, ['a|e|0|0']],
        [['a|e|0|0'], []],
      ]);
    });

    test('waits in the late lane: those last published come first, and no more than the lane takes', async () => {
      const bucket = store.bucketOf({ tile, date });
      // The store may be one that others use: of this bucket all that is late goes first.
      const lateOnes = (await store.listOpen(bucket)).open.filter(({ unit }) => unit.lane === 'late').length;
      const wait = (part: string, publishedAt: number) => aUnit({ part, lane: 'late', publishedAt });
      const units = [wait('0', NOW + 1), wait('1', NOW + 3), wait('2', NOW + 2)];
      await store.write(
        tile,
        date,
        units.map((unit) => ({ unit, isWaiting: true })),
      );
      expect((await store.listDay(tile, date)).open).toEqual([]);
      expect((await store.listOpen(bucket)).waiting).toBeGreaterThanOrEqual(3);
      const promoted = await store.promote(bucket, lateOnes + 2, NOW);
      expect(promoted.map(({ part }) => part)).toEqual(['1', '2']);
      expect(await store.promote(bucket, lateOnes + 2, NOW)).toEqual([]);
      const { mine } = await held(units[1]!);
      await store.finish(mine, { customers: 1, fields: 1 });
      expect((await store.promote(bucket, lateOnes + 2, NOW)).map(({ part }) => part)).toEqual(['0']);
    });

    test('that waits and is open already is not opened twice', async () => {
      const late = aUnit({ lane: 'late', publishedAt: NOW + 9 });
      await write(late);
      await store.write(tile, date, [{ unit: late, isWaiting: true }]);
      const bucket = store.bucketOf({ tile, date });
      expect((await store.promote(bucket, 1_000, NOW)).filter((unit) => unit.tile === tile)).toEqual([]);
      expect((await store.promote(bucket, 1_000, NOW)).filter((unit) => unit.tile === tile)).toEqual([]);
      expect((await store.listDay(tile, date)).open).toHaveLength(1);
    });

    describe('that waits while it was opened live', () => {
      const waiting = (more: Partial<OpenUnit>) => aUnit({ lane: 'late', publishedAt: NOW + 9, ...more });
      const promote = async (...units: readonly OpenUnit[]): Promise<readonly OpenUnit[]> => {
        const changes = units.map((unit) => ({ unit, isWaiting: true }) as const);
        expect(await store.write(tile, date, changes)).toBeDefined();
        const promoted = await store.promote(store.bucketOf({ tile, date }), 1_000, NOW);
        return promoted.filter((one) => one.tile === tile);
      };

      test.each([
        { why: 'another version', more: { version: 'v0' }, expected: { version: 'v0' } },
        { why: 'fields before and behind', more: { from: '07|A|e|00', to: '07|z|e|00' }, expected: {} },
        {
          why: 'fields behind, not those before',
          more: { from: '07|b|e|00', to: '07|z|e|00' },
          expected: { from: CUT.from },
        },
      ])('is asked for $why in the lane it is in', async ({ more, expected }) => {
        await write(aUnit());
        const asked = { lane: 'live', publishedAt: NOW - 60_000, ...more, ...expected };
        expect(await promote(waiting(more))).toMatchObject([asked]);
        expect((await store.listDay(tile, date)).open.map(({ unit }) => unit)).toMatchObject([asked]);
        expect(await promote()).toEqual([]);
      });

      const outdated = { version: 'v0', listedAt: NOW - 60_000 };

      test('by an ask of before asks for nothing: the open one keeps its version, its pause and what it has left out', async () => {
        const paused = aUnit({ refusals: 7, notBefore: NOW + 9_000_000, except: ['a|e|0|0'] });
        await write(paused);
        expect(await promote(waiting(outdated))).toEqual([]);
        expect((await stored(paused)).unit).toEqual(paused);
      });

      test.each(['', 'held'])('by an ask of before asks for its fields alone (claim "%s")', async (claim) => {
        await write(aUnit({ claim }));
        const both = { claim, version: 'v1', listedAt: NOW, from: CUT.from, to: '07|z|e|00' };
        expect(await promote(waiting({ ...outdated, to: '07|z|e|00' }))).toMatchObject([both]);
        expect((await stored(aUnit())).unit).toMatchObject(both);
      });

      test('stays with its attempt, which does not end it before that is done too', async () => {
        await write(aUnit());
        const { mine } = await held(aUnit());
        await promote(waiting({ version: 'v0' }));
        expect(await store.finish(mine, { customers: 1, fields: 1 })).toBe('changed');
        expect((await stored(mine)).unit).toMatchObject({ claim: mine.claim, version: 'v0' });
      });
    });

    test('is forgotten when it was done long ago', async () => {
      const old = aUnit({ date: '2001-01-01' });
      await store.write(tile, old.date, [{ unit: old }]);
      const { mine } = await held(old);
      await store.finish(mine, { customers: 1, fields: 1 });
      expect(await store.removeDoneBefore('2001-01-01')).toBe(0);
      expect(await store.removeDoneBefore('2001-01-02')).toBeGreaterThan(0);
      expect((await store.listDay(tile, old.date)).done).toEqual([]);
    });
  });
}
