import { describe, expect, test } from '@jest/globals';
import {
  all,
  allPoisonQueues,
  contentOf,
  dropMessages,
  isUnreadable,
  poisonPairOf,
  retryMessages,
  withId,
  type OperatorQueue,
  type QueuedMessage,
} from '../../infra/local/poison/poisonQueues.js';
import { queueNames } from '../../shared/storage/names.js';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const aMessage = (id: string): QueuedMessage => ({
  id,
  text: base64(`{"v":1,"jobId":"${id}"}`),
  insertedAt: new Date('2026-11-20T10:00:00Z'),
  deliveries: 5,
});

/** A queue in memory; what is taken is out of sight until it is released. */
class MemoryQueue implements OperatorQueue {
  visible: QueuedMessage[];
  readonly hidden = new Map<string, QueuedMessage>();
  readonly sent: string[] = [];
  readonly name: string;
  readonly onSend: () => Promise<void>;
  constructor(name: string, messages: readonly QueuedMessage[] = [], onSend = () => Promise.resolve()) {
    this.name = name;
    this.onSend = onSend;
    this.visible = [...messages];
  }
  length = () => Promise.resolve(this.visible.length + this.hidden.size);
  peek = () => Promise.resolve(this.visible.slice(0, 32));
  take = () => {
    const batch = this.visible.splice(0, 2);
    for (const message of batch) this.hidden.set(message.id, message);
    return Promise.resolve(batch);
  };
  release = (message: QueuedMessage) => {
    this.hidden.delete(message.id);
    this.visible.push(message);
    return Promise.resolve();
  };
  remove = (message: QueuedMessage) => {
    this.hidden.delete(message.id);
    return Promise.resolve();
  };
  send = async (text: string) => {
    await this.onSend();
    this.sent.push(text);
  };
  ids = () => this.visible.map(({ id }) => id).sort();
}

describe('the queues that a name means', () => {
  test.each([
    { name: 'jobs-gdd', poison: 'jobs-gdd-poison', origin: 'jobs-gdd' },
    { name: 'jobs-gdd-poison', poison: 'jobs-gdd-poison', origin: 'jobs-gdd' },
    { name: 'imagery-late', poison: 'imagery-late-poison', origin: 'imagery-late' },
  ])('$name: $poison, from which messages go back to $origin', ({ name, ...pair }) => {
    expect(poisonPairOf(name)).toEqual(pair);
  });
  test.each(['jobs', '', '-poison', 'jobs-gdd-poisoned', 'jobs-gdd-poison-poison'])(
    '"%s" means none, and the queues are named',
    (name) => {
      expect(() => poisonPairOf(name)).toThrow('jobs-gdd, jobs-boundary');
    },
  );
  test('all of them are one for each work queue', () => {
    expect(allPoisonQueues).toHaveLength(queueNames.length);
  });
});

describe('a retry', () => {
  const three = () => ['a', 'b', 'c'].map((id) => aMessage(id));

  test('of all messages sends each once, as it was, and leaves none', async () => {
    const [poison, origin] = [new MemoryQueue('p', three()), new MemoryQueue('o')];
    expect(await retryMessages(poison, origin, all)).toBe(3);
    expect(origin.sent).toEqual(three().map(({ text }) => text));
    expect([poison.ids(), poison.hidden.size]).toEqual([[], 0]);
  });
  test('of one message leaves the others in sight', async () => {
    const [poison, origin] = [new MemoryQueue('p', three()), new MemoryQueue('o')];
    expect(await retryMessages(poison, origin, withId('c'))).toBe(1);
    expect(poison.ids()).toEqual(['a', 'b']);
    expect(origin.sent).toHaveLength(1);
  });
  test('of a message that is not there changes nothing', async () => {
    const [poison, origin] = [new MemoryQueue('p', three()), new MemoryQueue('o')];
    expect(await retryMessages(poison, origin, withId('z'))).toBe(0);
    expect([poison.ids(), origin.sent]).toEqual([['a', 'b', 'c'], []]);
  });
  test('does not chase messages that come back while it runs', async () => {
    let count = 0;
    const poison: MemoryQueue = new MemoryQueue('p', three());
    const origin = new MemoryQueue('o', [], () => {
      poison.visible.push(aMessage(`again-${(count += 1)}`));
      return Promise.resolve();
    });
    expect(await retryMessages(poison, origin, all)).toBe(3);
    expect(poison.ids()).toEqual(['again-1', 'again-2', 'again-3']);
  });
  test('that cannot send keeps the message', async () => {
    const poison = new MemoryQueue('p', three());
    const origin = new MemoryQueue('o', [], () => Promise.reject(new Error('away')));
    await expect(retryMessages(poison, origin, all)).rejects.toThrow('away');
    expect(poison.ids().length + poison.hidden.size).toBe(3);
  });
});

describe('a drop', () => {
  test('of one message deletes it alone', async () => {
    const poison = new MemoryQueue('p', [aMessage('a'), aMessage('b')]);
    expect(await dropMessages(poison, withId('a'))).toBe(1);
    expect(poison.ids()).toEqual(['b']);
  });
  test('of all leaves none', async () => {
    const poison = new MemoryQueue('p', [aMessage('a'), aMessage('b'), aMessage('c')]);
    expect(await dropMessages(poison, all)).toBe(3);
    expect(poison.ids()).toEqual([]);
  });
});

describe('a drop of what nobody can read', () => {
  const unreadable = ['hello you', base64('hello you'), base64('7'), base64('[1]'), '', base64('{"v":1')];

  test('deletes what is no base64 of a JSON object, and leaves the messages of this service', async () => {
    const strangers = unreadable.map((text, index) => ({ ...aMessage(`stranger-${index}`), text }));
    const poison = new MemoryQueue('p', [aMessage('a'), ...strangers, aMessage('b')]);
    expect(await dropMessages(poison, isUnreadable)).toBe(unreadable.length);
    expect(poison.ids()).toEqual(['a', 'b']);
    expect(poison.hidden.size).toBe(0);
  });
});

describe('the content that is shown', () => {
  test.each([
    { what: 'base64 of JSON', text: base64('{"v":1}'), shown: '{"v":1}' },
    { what: 'plain text, as something else may have sent it', text: 'hello you', shown: 'hello you' },
    { what: 'line breaks, on one line', text: base64('a\n\tb'), shown: 'a b' },
  ])('$what', ({ text, shown }) => {
    expect(contentOf({ ...aMessage('a'), text })).toBe(shown);
  });
  test('of a huge message is its beginning', () => {
    expect(contentOf({ ...aMessage('a'), text: base64('x'.repeat(10_000)) })).toHaveLength(300);
  });
});
