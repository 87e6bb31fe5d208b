import { beforeEach, describe, expect, test } from '@jest/globals';
import { poisonQueueOf, queueNames, type QueueName } from '../../../shared/storage/names.js';
import { drainDeadLetters } from '../../../shared/work/upkeep/deadLetters.js';
import type { WorkKey } from '../../../shared/work/item/workItem.js';
import { MemoryMessages } from '../../support/memoryMessages.js';

describe('dead letters', () => {
  let queues: Map<string, MemoryMessages>;
  let resent: WorkKey[];
  let putBack: (readonly [QueueName, unknown])[];
  let log: string[];
  const poison = (queue: QueueName): MemoryMessages => queues.get(poisonQueueOf(queue))!;
  const drain = () =>
    drainDeadLetters({
      queues: queueNames,
      messages: (name) => queues.get(name)!,
      resend: ({ kind, id }) => Promise.resolve(void resent.push({ kind, id })),
      putBack: (queue, message) => Promise.resolve(void putBack.push([queue, message])),
      log: (event, facts) => void log.push(`${event} ${String(facts['queue'])}`),
    })();
  const letterOf = (id: string): string => JSON.stringify({ v: 1, kind: 'gdd', id });

  beforeEach(() => {
    queues = new Map(
      queueNames.flatMap((name) => [name, poisonQueueOf(name)]).map((name) => [name, new MemoryMessages()]),
    );
    [resent, putBack, log] = [[], [], []];
  });

  test('of all queues have their work gone on with, and are gone', async () => {
    await poison('jobs-gdd').send(letterOf('t|1'), 0);
    await poison('discovery').send(letterOf('|2'), 0);
    expect(await drain()).toBe(2);
    expect(resent).toEqual([
      { kind: 'gdd', id: 't|1' },
      { kind: 'gdd', id: '|2' },
    ]);
    expect(log).toEqual(['Message:Poisoned jobs-gdd', 'Message:Poisoned discovery']);
    expect(await drain()).toBe(0);
  });

  test.each([
    { why: 'no JSON', text: 'not JSON at all' },
    { why: 'null', text: 'null' },
    { why: 'no work', text: '{"v":1,"kind":"unknown"}' },
    { why: 'of an older version', text: '{"v":0,"kind":"gdd","id":"t|old"}' },
  ])('that are $why are told and end', async ({ text }) => {
    await poison('imagery-late').send(text, 0);
    await poison('imagery-late').send(letterOf('t|good'), 0);
    expect(await drain()).toBe(2);
    expect(log).toContain('Message:Unreadable imagery-late');
    expect([resent, poison('imagery-late').sent]).toEqual([[{ kind: 'gdd', id: 't|good' }], []]);
  });

  test('of a newer version go back to their queue for an instance of it', async () => {
    const message = { v: 2, kind: 'gdd', id: 't|1', more: true };
    await poison('jobs-gdd').send(JSON.stringify(message), 0);
    await drain();
    expect([putBack, resent]).toEqual([[['jobs-gdd', message]], []]);
    expect(log).toContain('Message:PutBack jobs-gdd');
  });

  test('that die on the way are seen again, and one queue’s trouble is not another’s', async () => {
    await poison('jobs-gdd').send(letterOf('t|1'), 0);
    await poison('discovery').send(letterOf('|2'), 0);
    poison('jobs-gdd').delete = () => Promise.reject(new Error('away'));
    await expect(drain()).rejects.toThrow('away');
    expect(resent).toHaveLength(2);
    expect([poison('jobs-gdd').sent.length, poison('discovery').sent.length]).toEqual([1, 0]);
  });

  test('in masses are the next run’s too', async () => {
    await Promise.all(Array.from({ length: 1_000 }, (_, index) => poison('jobs-gdd').send(letterOf(`t|${index}`), 0)));
    expect([await drain(), await drain(), await drain()]).toEqual([960, 40, 0]);
  });
});
