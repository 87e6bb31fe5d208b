import { beforeEach, describe, expect, test } from '@jest/globals';
import { functionTable } from '../../functions/functionTable.js';
import { INGEST } from '../../shared/enrollments/ingest/ingestEnrollment.js';
import { BACKFILL, planOf, type BackfillReason } from '../../shared/imagery/discovery/backfill.js';
import { workOfProduct } from '../../shared/imagery/products/product.js';
import { TILES } from '../../shared/imagery/discovery/reconcile.js';
import { orderOf, type Lane, type Unit } from '../../shared/imagery/units/unit.js';
import { workQueues } from '../../shared/wiring/areas/workServices.js';
import type { Services } from '../../shared/wiring/services.js';
import { queueNames, type QueueName } from '../../shared/storage/names.js';
import type { WorkKey, WorkOrder } from '../../shared/work/item/workItem.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryMessages } from '../support/memoryMessages.js';
import { NOTICE } from '../../shared/notices/log/outbox.js';
import { GRID } from '../../shared/notices/eventGrid/gridKind.js';
import { WEBHOOK } from '../../shared/notices/webhooks/webhook.js';

const unit: Omit<Unit, 'lane'> = {
  ...{ tile: '33UUP', date: '2026-06-17', cell: 7, part: '0' },
  ...{ from: '07|a', to: '07|b', publishedAt: 0 },
};
const unitIn = (lane: Lane): WorkOrder => orderOf({ ...unit, lane });
const backfillOf = (why: BackfillReason): WorkKey => ({
  kind: BACKFILL,
  id: `c|e|79739382|2026-06-01|2026-06-17|${why}`,
});

const works: readonly { readonly what: string; readonly work: WorkOrder; readonly queue: QueueName }[] = [
  { what: 'a GDD job', work: { kind: 'gdd', id: 't|j' }, queue: 'jobs-gdd' },
  { what: 'a Smart Boundary job', work: { kind: 'smartBoundary', id: 't|j' }, queue: 'jobs-boundary' },
  { what: 'an ingest', work: { kind: INGEST, id: 'c|e' }, queue: 'ingest' },
  {
    what: 'the beginning of a monitoring',
    work: planOf({ customer: 'c', enrollmentId: 'e' }),
    queue: 'ingest',
  },
  { what: 'a group of tiles', work: { kind: TILES, id: '|2026-06-17|0' }, queue: 'discovery' },
  { what: 'a product', work: workOfProduct({ tile: '33UUP', scene: '79739382|a|b' }), queue: 'discovery' },
  { what: 'a unit of a new scene', work: unitIn('live'), queue: 'imagery-live' },
  { what: 'a unit of an older scene', work: unitIn('late'), queue: 'imagery-late' },
  { what: 'the newest month of a new enrollment', work: backfillOf('first'), queue: 'imagery-live' },
  { what: 'its other months', work: backfillOf('new'), queue: 'imagery-late' },
  { what: 'something that is told', work: { kind: NOTICE, id: 't_t|event|n|0' }, queue: 'notices' },
  { what: 'a visit of a webhook', work: { kind: WEBHOOK, id: 't_t|wh_1' }, queue: 'visits' },
  { what: 'a log that is sent to Event Grid', work: { kind: GRID, id: 't_t|log' }, queue: 'visits' },
  { what: 'a day that is tried again', work: backfillOf('retry'), queue: 'imagery-late' },
];

describe('the queues of work', () => {
  const clock = new ManualClock('2026-06-17T18:00:00Z');
  let messages: Map<string, MemoryMessages>;
  let queues: ReturnType<typeof workQueues>;
  beforeEach(() => {
    messages = new Map();
    const messagesOf = (name: string): MemoryMessages => {
      const queue = messages.get(name) ?? new MemoryMessages(() => clock.now().getTime());
      messages.set(name, queue);
      return queue;
    };
    queues = workQueues({ messages: messagesOf }, clock, () => undefined);
  });

  test.each(works)('take $what to $queue, in a message that names it alone', async ({ work, queue }) => {
    const { kind, id } = work;
    await queues(work).send({ kind, id });
    expect([...messages.keys()]).toEqual([queue]);
    const [message] = messages.get(queue)!.sent;
    expect(JSON.parse(message!.text)).toEqual({ v: 1, kind, id, dueAt: clock.now().getTime() });
  });

  // A sweep asks each queue once how far it has come.
  test.each(works)('are the same each time, for $what', ({ work }) => {
    expect(queues({ ...work, id: `${work.id}|2` })).toBe(queues(work));
  });

  test('are none for a kind that this version does not know', () => {
    expect(() => queues({ kind: 'of-tomorrow', id: 'a|b' })).toThrow('of-tomorrow');
  });

  test.each(works)('have one function that does $what', async (row) => {
    const { kind, id } = row.work;
    const handled: WorkKey[] = [];
    const handleWork = (key: WorkKey) => Promise.resolve(void handled.push(key));
    const taking = functionTable.queues.filter(({ queue }) => queue === row.queue);
    expect(taking).toHaveLength(1);
    const isDrained = () => Promise.resolve(false);
    await taking[0]!.handle({ v: 1, kind, id }, { handleWork, isDrained } as unknown as Services);
    expect(handled).toMatchObject([{ kind, id }]);
  });

  test('are eight, beside one timer and HTTP: ten groups that the platform scales', () => {
    const { queues: ofQueues, timers } = functionTable;
    expect(ofQueues.map(({ queue }) => queue).sort()).toEqual([...queueNames].sort());
    expect([ofQueues.length, timers.length]).toEqual([8, 1]);
  });
});
