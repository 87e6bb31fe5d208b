import { beforeEach, describe, expect, test } from '@jest/globals';
import { GridCursorStore } from '../../../shared/notices/eventGrid/gridCursorStore.js';
import { gridKind, workOfGrid } from '../../../shared/notices/eventGrid/gridKind.js';
import { GRID_LANE } from '../../../shared/work/lanes/lane.js';
import { Seats } from '../../../shared/work/lanes/seats.js';
import { Death } from '../log/countedRows.js';
import { GridWorld, idsIn, numbers, owner } from './gridWorld.js';

let world: GridWorld;
beforeEach(() => {
  world = new GridWorld();
});

const sizes = (): readonly number[] => world.sends.map(({ length }) => length);

describe('events of an owner', () => {
  test('go to Event Grid in order, a hundred at once, each to the byte as it stands in the log', async () => {
    await world.tell(numbers(250));
    await world.pass(1);
    expect(sizes()).toEqual([100, 100, 50]);
    expect(world.taken).toEqual(numbers(250));
    const logged = await world.log.read(owner, 0, 1_000);
    expect(world.sends.flat()).toEqual(logged.map(({ body }) => body));
    await expect(world.open()).resolves.toEqual([]);
  });

  test('go in one send when they happen within a second', async () => {
    for (const id of numbers(5)) await world.tell([id]);
    await world.pass(1);
    expect(sizes()).toEqual([5]);
  });

  test('go in sends of at most 512 kB', async () => {
    await world.tell(numbers(90), owner, { text: 'ü'.repeat(5_000) });
    await world.pass(1);
    const bytes = world.sends.map((bodies) => Buffer.byteLength(`[${bodies.join(',')}]`));
    expect(sizes()).toEqual([49, 41]);
    expect(Math.max(...bytes)).toBeLessThanOrEqual(512_000);
    expect(world.taken).toEqual(numbers(90));
  });

  test("are not held up by another owner's", async () => {
    world.answer = (bodies) => ({ status: idsIn(bodies).includes('theirs') ? 500 : 200 });
    await world.tell(['theirs'], 'c_contoso');
    await world.tell(['ours']);
    await world.pass(1);
    expect(world.taken).toEqual(['ours']);
  });

  test('that come while a send is under way are sent by the same attempt', async () => {
    await world.tell(['first']);
    const { log } = world;
    const read = log.read.bind(log);
    let looks = 0;
    log.read = async (...asked) => {
      const found = await read(...asked);
      looks += 1;
      // Behind the last look, before the work ends.
      if (looks === 2) await world.tell(['late']);
      return found;
    };
    await world.pass(1);
    expect(world.taken).toEqual(['first', 'late']);
  });
});

describe('while Event Grid is away', () => {
  test('for an hour, the cursor stays; then everything arrives in batches, nothing twice', async () => {
    world.answer = () => ({ error: 'ECONNREFUSED' });
    for (let minute = 0; minute < 60; minute += 1) {
      await world.tell(numbers(5, minute * 5));
      await world.pass(58.5);
    }
    expect(world.taken).toEqual([]);
    // 15 s, 1 min, 4 min, then each quarter of an hour, half of it at random.
    expect(sizes().length).toBeLessThan(12);
    expect(world.lines('Notice:GridAway').at(-1)).toMatchObject({ owner, error: 'ECONNREFUSED' });
    expect(world.lines('Notice:GridAway').at(-1)!['lagMs']).toBeGreaterThan(40 * 60_000);
    const before = world.sends.length;
    world.answer = () => ({ status: 200 });
    for (let minute = 0; minute < 16; minute += 1) await world.pass(58.5);
    expect(sizes().slice(before)).toEqual([100, 100, 100]);
    expect(world.taken).toEqual(numbers(300));
    await expect(world.open()).resolves.toEqual([]);
  });

  test('its owners wait in a lane of their own', async () => {
    world.answer = () => ({ status: 500 });
    await world.tell(['a']);
    await world.pass(1);
    expect((await world.kernel.find(workOfGrid(owner)))!.parked).toMatchObject({ lane: 'slow|eventGrid' });
    world.answer = () => ({ status: 200 });
    await world.pass(20);
    expect(world.taken).toEqual(['a']);
  });

  test.each([429, 503])(
    'it is left in peace for as long as Retry-After of a %i says, whatever happens meanwhile',
    async (status) => {
      world.answer = () => ({ status, retryAfter: '90' });
      await world.tell(['a']);
      await world.pass(1);
      await world.tell(['b']);
      await world.pass(80);
      expect(sizes()).toEqual([1]);
      world.answer = () => ({ status: 200 });
      await world.pass(10);
      expect(world.taken).toEqual(['a', 'b']);
    },
  );

  test('one owner learns that for the others, who hold up no webhook outside of that lane', async () => {
    world.answer = () => ({ error: 'timeout', durationMs: 30_000 });
    await world.tell(['a']);
    await world.pass(1);
    world.kernel.slotsOf = () => 0;
    await world.tell(['b'], 't_other');
    await world.pass(1);
    expect(world.sends).toHaveLength(1);
    expect((await world.kernel.find(workOfGrid('t_other')))!.parked).toMatchObject({ lane: GRID_LANE });
    [world.kernel.slotsOf, world.answer] = [() => 4, () => ({ status: 200 })];
    await world.pass(60);
    expect(world.taken.toSorted()).toEqual(['a', 'b']);
    world.kernel.slotsOf = () => 0;
    await world.tell(['c'], 't_third');
    await world.pass(1);
    expect(world.taken).toContain('c');
  });

  test('an unreasonable Retry-After counts as an hour', async () => {
    world.answer = () => ({ status: 429, retryAfter: '999999' });
    await world.tell(['a']);
    await world.pass(1);
    world.answer = () => ({ status: 200 });
    await world.pass(3_590);
    expect(world.taken).toEqual([]);
    await world.pass(20);
    expect(world.taken).toEqual(['a']);
  });
});

describe('a send that is too large', () => {
  test('is halved until it is not, and nothing is lost', async () => {
    world.answer = (bodies) => ({ status: bodies.length > 30 ? 413 : 200 });
    await world.tell(numbers(100));
    await world.pass(1);
    expect(sizes().slice(0, 3)).toEqual([100, 50, 25]);
    expect(world.taken).toEqual(numbers(100));
  });

  test('by one event alone leaves that event out, and says so', async () => {
    world.answer = (bodies) => ({ status: idsIn(bodies).includes('n-3') ? 413 : 200 });
    await world.tell(numbers(8));
    await world.pass(1);
    expect(world.taken).toEqual(numbers(8).filter((id) => id !== 'n-3'));
    expect(world.lines('Notice:GridPassedOver')).toEqual([expect.objectContaining({ owner, eventId: 'n-3' })]);
  });
});

describe.each([401, 403, 400, 404, 302])('a refusal with %i', (status) => {
  test('is told, asked again each quarter of an hour, and loses nothing', async () => {
    world.answer = () => ({ status });
    await world.tell(['a']);
    await world.pass(1);
    for (let minute = 0; minute < 14; minute += 1) {
      await world.tell([`during-${minute}`]);
      await world.pass(58);
    }
    expect(sizes()).toEqual([1]);
    expect(world.lines('Notice:GridRefused')).toEqual([expect.objectContaining({ owner, status, events: 1 })]);
    world.answer = () => ({ status: 200 });
    await world.pass(90);
    expect(world.taken).toHaveLength(15);
  });
});

describe('a process that dies', () => {
  /** It dies at a write of the cursor: before it, or behind it. */
  async function dyingAt(method: 'insert' | 'update', isBehind: boolean): Promise<void> {
    await world.tell(numbers(3));
    const { noticeRows } = world;
    const write = noticeRows[method].bind(noticeRows) as (...row: readonly unknown[]) => Promise<string | undefined>;
    noticeRows[method] = async (...row: readonly unknown[]) => {
      noticeRows[method] = write;
      if (isBehind) await write(...row);
      throw new Death();
    };
    await world.pass(1);
    await world.pass(30);
  }

  test('between send and write leaves a batch that is sent again, the same bytes under the same ids', async () => {
    await dyingAt('update', false);
    expect(idsIn(world.sends[0]!)).toEqual(numbers(3));
    expect(world.sends).toEqual([world.sends[0], world.sends[0]]);
  });

  test.each([
    { method: 'insert', isBehind: false },
    { method: 'insert', isBehind: true },
    { method: 'update', isBehind: true },
  ] as const)('elsewhere sends nothing twice: at $method, behind it: $isBehind', async ({ method, isBehind }) => {
    await dyingAt(method, isBehind);
    expect(world.taken).toEqual(numbers(3));
  });
});

describe('two attempts at the same time', () => {
  test('move the cursor once, and the slower one writes nothing', async () => {
    await world.tell(['a']);
    const cursors = new GridCursorStore(world.noticeRows);
    const held = (await cursors.open(owner))!;
    await world.pass(1);
    await expect(cursors.write(owner, held, { cursor: 1, failures: 9 })).resolves.toBeUndefined();
    expect((await cursors.open(owner))!.state.failures).toBe(0);
  });
});

describe('an owner who is erased while a send is under way', () => {
  test('leaves no row behind', async () => {
    await world.tell(['a']);
    world.answer = () => {
      // The work first, as whoever erases does.
      for (const rows of [world.kernel.rows, world.noticeRows]) {
        for (const { partitionKey, rowKey } of rows.all()) void rows.delete(partitionKey, rowKey);
      }
      return { status: 200 };
    };
    await world.pass(1);
    expect(world.taken).toEqual(['a']);
    expect([...world.noticeRows.all(), ...world.kernel.rows.all()]).toEqual([]);
  });
});

describe('without a topic', () => {
  test('work that is left ends, and the cursor stays for the day that there is one again', async () => {
    await world.tell(['a']);
    await world.pass(1);
    const rows = world.noticeRows.all();
    await world.tell(['b']);
    world.clock.jump(2_000);
    await world.kernel.handle(workOfGrid(owner), gridKind(undefined, 60_000, new Seats()));
    await expect(world.open()).resolves.toEqual([]);
    expect(world.noticeRows.all().filter(({ rowKey }) => rowKey === 'GRID')).toEqual(
      rows.filter(({ rowKey }) => rowKey === 'GRID'),
    );
    expect(world.taken).toEqual(['a']);
  });
});
