import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { listEvents } from '../../../shared/notices/log/listEvents.js';
import { ListenerStore } from '../../../shared/notices/log/listenerStore.js';
import { NoticeLogStore } from '../../../shared/notices/log/noticeLogStore.js';
import { ManualClock } from '../../support/manualClock.js';
import { CountedRows } from './countedRows.js';
import { aNotice } from './noticesUnderTest.js';

const owner = 'c_demo-farm';
const START = '2026-05-04T06:00:00Z';
const source = 'https://api.partner.example';
const key = new Uint8Array(32);
const DAY_MS = 86_400_000;

let rows: CountedRows;
let clock: ManualClock;
let log: NoticeLogStore;
let list: ReturnType<typeof listEvents>;
beforeEach(() => {
  rows = new CountedRows();
  clock = new ManualClock(START);
  log = new NoticeLogStore({ rows, clock, source });
  const listeners = new ListenerStore(new CountedRows(), clock);
  list = listEvents({ log, listeners, cursorKeys: { present: key, accepted: [key] }, clock });
});

const entries = (...ids: readonly string[]) => ids.map((id) => ({ notice: aNotice(id) }));
const ids = async (): Promise<readonly string[]> => (await log.read(owner, 0, 10_000)).map(({ id }) => id);

describe('the log of an owner', () => {
  test('gives places in order, from the milliseconds of its birth on', async () => {
    await log.append(owner, entries('a', 'b'));
    await log.append(owner, entries('c'));
    const born = Date.parse(START);
    expect((await log.read(owner, 0, 10)).map(({ sequence }) => sequence)).toEqual([born, born + 1, born + 2]);
    const [first] = await log.read(owner, 0, 1);
    expect(JSON.parse(first!.body)).toMatchObject({ id: 'a', source, sequence: String(born), specversion: '1.0' });
  });

  test('takes each notice once, whoever tells it again and with what beside it', async () => {
    await log.append(owner, entries('a', 'b'));
    await log.append(owner, entries('b', 'c', 'a', 'd', 'd'));
    expect(await ids()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('holds the notices of 100 who tell at the same time, in a few writes', async () => {
    const writes = rows.writes;
    await Promise.all(Array.from({ length: 100 }, (_, number) => log.append(owner, entries(`n-${number}`))));
    expect((await ids()).length).toBe(100);
    expect(rows.writes - writes).toBeLessThan(10);
  });

  test('loses nothing where two processes write to it', async () => {
    const other = new NoticeLogStore({ rows, clock, source });
    await Promise.all(
      Array.from({ length: 40 }, (_, number) => (number % 2 === 0 ? log : other).append(owner, entries(`n-${number}`))),
    );
    expect(new Set(await ids()).size).toBe(40);
    expect((await ids()).length).toBe(40);
  });

  test('has each notice once for any order and repetition in which it is told', async () => {
    const told = fc.array(fc.array(fc.integer({ min: 0, max: 40 }).map(String), { maxLength: 40 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(told, async (parts) => {
        const one = new NoticeLogStore({ rows: new CountedRows(), clock, source });
        for (const part of parts) await one.append(owner, entries(...part));
        const found = (await one.read(owner, 0, 1_000)).map(({ id }) => id);
        expect([...found].sort()).toEqual([...new Set(parts.flat())].sort());
      }),
      { numRuns: 50 },
    );
  });

  test('forgets what is older than its time, and goes on counting', async () => {
    await log.append(owner, entries('old'));
    clock.jump(31 * DAY_MS);
    await log.append(owner, [{ notice: aNotice('new', { time: clock.now().toISOString() }) }]);
    expect(await log.expire(owner, clock.now().getTime() - 30 * DAY_MS)).toBe(1);
    expect(await ids()).toEqual(['new']);
    await log.append(owner, entries('newer'));
    const [, newer] = await log.read(owner, 0, 10);
    expect(newer!.sequence).toBe(Date.parse(START) + 2);
  });
});

describe('the list of events', () => {
  test('answers nothing but a cursor at first, and goes on from there', async () => {
    const first = await list(owner, {});
    expect(first).toMatchObject({ events: [], hasMore: false });
    await log.append(owner, entries('a'));
    const next = await list(owner, { cursor: first.cursor });
    expect(next.events.map(({ id }) => id)).toEqual(['a']);
    expect((await list(owner, { cursor: next.cursor })).events).toEqual([]);
  });

  test('is seen whole and in order with any page size', async () => {
    await log.append(owner, entries(...Array.from({ length: 57 }, (_, number) => `n-${number}`)));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (limit) => {
        const seen: string[] = [];
        let page = await list(owner, { limit });
        seen.push(...page.events.map(({ id }) => id));
        while (page.hasMore) {
          page = await list(owner, { limit, cursor: page.cursor });
          seen.push(...page.events.map(({ id }) => id));
        }
        expect(seen).toEqual(await ids());
      }),
      { numRuns: 20 },
    );
  });

  test('begins where it is told to', async () => {
    await log.append(owner, entries('a'));
    clock.jump(60_000);
    await log.append(owner, entries('b'));
    const from = async (value: string) => (await list(owner, { from: value })).events.map(({ id }) => id);
    expect(await from('latest')).toEqual([]);
    expect(await from(START)).toEqual(['a', 'b']);
    expect(await from('2026-05-04T06:00:30Z')).toEqual(['b']);
    await expect(list(owner, { from: 'yesterday' })).rejects.toThrow('latest or an instant');
  });

  test('passes over types that nobody asked for', async () => {
    await log.append(owner, [{ notice: aNotice('f', { type: 'partner.job.failed' }) }, ...entries('s')]);
    const { events } = await list(owner, { types: 'partner.job.failed,partner.imagery.*' });
    expect(events.map(({ id }) => id)).toEqual(['f']);
  });

  test.each([
    { why: 'is of another owner', open: (cursor: string) => list('c_other', { cursor }) },
    { why: 'is of a tenant of the same name', open: (cursor: string) => list('t_demo-farm', { cursor }) },
    { why: 'is of another filter', open: (cursor: string) => list(owner, { cursor, types: 'partner.job.*' }) },
    {
      why: 'is older than 31 days',
      open: (cursor: string) => {
        clock.jump(32 * DAY_MS);
        return list(owner, { cursor });
      },
    },
  ])('refuses a cursor that $why', async ({ open }) => {
    const { cursor } = await list(owner, {});
    await expect(open(cursor)).rejects.toMatchObject({ details: [{ type: 'cursor_expired' }] });
  });
});
