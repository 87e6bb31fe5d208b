import { beforeEach, describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { MessageQueue } from '../../shared/storage/messageQueue.js';
import { messageFacts } from '../../shared/kit/validation/messageFacts.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryMessages } from '../support/memoryMessages.js';

const schema = Type.Object({ tile: Type.String({ minLength: 1 }), ...messageFacts });
const MINUTE_MS = 60_000;

describe('a queue of messages of one form', () => {
  let clock: ManualClock;
  let messages: MemoryMessages;
  let traceparent: string | undefined;
  let queue: MessageQueue<typeof schema>;
  const now = (): number => clock.now().getTime();
  beforeEach(() => {
    clock = new ManualClock();
    messages = new MemoryMessages(now);
    traceparent = '00-trace-span-01';
    queue = new MessageQueue(messages, schema, { clock, traceparent: () => traceparent });
  });

  test('adds the version, when the message is due, and the trace of the sender', async () => {
    await queue.send({ tile: '33UUP' }, MINUTE_MS);
    clock.jump(MINUTE_MS);
    expect(JSON.parse(messages.take() ?? '')).toEqual({
      v: 1,
      tile: '33UUP',
      dueAt: now(),
      traceparent: '00-trace-span-01',
    });
  });

  test('sends no trace where there is none', async () => {
    traceparent = undefined;
    await queue.send({ tile: '33UUP' });
    expect(JSON.parse(messages.take() ?? '')).toEqual({ v: 1, tile: '33UUP', dueAt: now() });
  });

  test('hides a message up to the second behind its delay, and for seven days at most', async () => {
    await queue.send({ tile: 'a' }, 1_500);
    await queue.send({ tile: 'b' }, 30 * 86_400_000);
    expect(messages.sent.map(({ visibleAt }) => (visibleAt - now()) / 1000)).toEqual([2, 7 * 86_400]);
  });

  test('sends nothing that its readers would not take', async () => {
    await expect(queue.send({ tile: '' })).rejects.toThrow('form of its queue');
    expect(messages.sent).toEqual([]);
  });

  describe('has come', () => {
    test('to now when nothing waits', async () => {
      expect(await queue.servedUntil(now())).toBe(now());
    });

    test('to when the message at its head was due', async () => {
      const due = now() + MINUTE_MS;
      await queue.send({ tile: 'a' }, MINUTE_MS);
      clock.jump(10 * MINUTE_MS);
      await queue.send({ tile: 'b' });
      expect(await queue.servedUntil(now())).toBe(due);
    });

    test.each(['no JSON', '{"dueAt":"soon"}', '{}'])(
      'to when a message that says nothing of it was sent: %s',
      async (text) => {
        const sentAt = now();
        await messages.send(text, 0);
        clock.jump(MINUTE_MS);
        expect(await queue.servedUntil(now())).toBe(sentAt);
      },
    );

    test('to now at the latest, whatever a message says', async () => {
      await messages.send(JSON.stringify({ dueAt: now() + MINUTE_MS }), 0);
      expect(await queue.servedUntil(now())).toBe(now());
    });
  });
});
