import type { QueueClient } from '@azure/storage-queue';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AzuriteUnderTest, startAzuriteUnderTest } from '../azuriteUnderTest.js';
import { bundled } from '../bundled.js';
import { type HostUnderTest, startHost } from './hostUnderTest.js';

let directory: string;
let program: string;
let azurite: AzuriteUnderTest;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'queues-'));
  program = await bundled('hostProcess', 'azuriteProcess');
  azurite = await startAzuriteUnderTest(program.replace('hostProcess', 'azuriteProcess'), {
    directory,
    inMemory: true,
  });
});
afterAll(async () => {
  await azurite.stop();
  rmSync(directory, { recursive: true });
});

const base64 = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');

interface Workplace {
  readonly host: HostUnderTest;
  readonly queue: QueueClient;
  readonly poison: QueueClient;
  readonly send: (value: unknown) => Promise<void>;
}

/** A host on a queue of its own; `created` = the queue exists before the host starts. */
async function workAt(name: string, { created = true, ...environment } = {}): Promise<Workplace> {
  const queue = azurite.queues().getQueueClient(name);
  if (created) await queue.create();
  const host = await startHost(program, 'streaming', {
    DATA_STORAGE: azurite.connectionString('fielddata'),
    DATA_STORAGE__queueServiceUri: `${azurite.urls.queue}/fielddata`,
    NODE_EXTRA_CA_CERTS: azurite.caFile,
    WORK_QUEUE: name,
    ...environment,
  });
  const send = async (value: unknown): Promise<void> => {
    await queue.sendMessage(base64(value));
  };
  return { host, queue, poison: azurite.queues().getQueueClient(`${name}-poison`), send };
}

const lengthOf = async (queue: QueueClient): Promise<number> =>
  (await queue.getProperties()).approximateMessagesCount ?? -1;

/** Waits until nothing is left in the queue, not even an invisible message. */
async function isEmptied(queue: QueueClient): Promise<void> {
  while ((await lengthOf(queue)) !== 0) await sleep(20);
}

describe('a queue function', () => {
  test('gets a JSON message parsed and any other text as it is, and the message is gone afterwards', async () => {
    const { host, queue, send } = await workAt('parsed');
    await send({ id: 'one' });
    await send('plain text');
    await host.saw('done one');
    await host.saw('took "plain text" delivery 1');
    await isEmptied(queue);
    await host.stop();
  });

  test('that fails gets the message again, and after maxDequeueCount it goes to the poison queue as it was', async () => {
    const { host, queue, poison, send } = await workAt('failing');
    await send({ id: 'bad', fail: true });
    await host.saw('poisoned {"id":"bad","fail":true}');
    expect(host.output().match(/took {"id":"bad","fail":true} delivery \d/g)).toEqual(
      [1, 2, 3].map((delivery) => `took {"id":"bad","fail":true} delivery ${delivery}`),
    );
    await isEmptied(queue);
    await isEmptied(poison);
    await host.stop();
  });

  test('never sees a message that is not base64: it is poison at once', async () => {
    const { host, queue } = await workAt('raw');
    await queue.sendMessage('{"id":"raw"}');
    await host.saw('goes to raw-poison');
    expect(host.output()).not.toContain('took');
    await host.stop();
  });

  test('runs no more at once than a batch and what the threshold lets through', async () => {
    const { host, send } = await workAt('batches');
    await Promise.all(Array.from({ length: 8 }, (_, id) => send({ id, sleepMs: 500 })));
    await host.saw('done');
    const taken = host.output().split('done')[0]!.match(/took/g);
    expect(taken?.length).toBeLessThanOrEqual(5);
    await host.saw('done 7');
    await host.stop();
  });

  test('waits for a queue that is not there, and the host does not create it', async () => {
    const { host, queue, send } = await workAt('late', { created: false });
    await sleep(300);
    expect(await queue.exists()).toBe(false);
    await queue.create();
    await send({ id: 'late' });
    await host.saw('done late');
    expect(host.output()).not.toContain('Polling late failed');
    await host.stop();
  });

  test('finishes the messages it holds when the host ends, and takes no others', async () => {
    const { host, queue, send } = await workAt('draining');
    await send({ id: 'held', sleepMs: 2_500 });
    await host.saw('took');
    const stopped = host.stop();
    await host.refuses();
    // A look at the queue that was under way ends before the message comes.
    await sleep(500);
    await send({ id: 'left' });
    expect(await stopped).toBe(0);
    expect(host.output()).toContain('done held');
    expect(host.output()).not.toContain('left');
    expect(await lengthOf(queue)).toBe(1);
  });

  test('of a killed host leaves its message invisible for ten minutes', async () => {
    const { host, queue, send } = await workAt('killed');
    await send({ id: 'lost', sleepMs: 10_000 });
    await host.saw('took');
    host.process.kill('SIGKILL');
    expect((await queue.receiveMessages()).receivedMessageItems).toEqual([]);
    expect(await lengthOf(queue)).toBe(1);
  });
});

describe('a queue output', () => {
  test('creates its queue and writes one base64 message for each element, objects indented', async () => {
    const { host, send } = await workAt('outputs');
    await send({ id: 'many', results: ['a', { b: 1 }] });
    await host.saw('done many');
    const results = azurite.queues().getQueueClient('results');
    while (!(await results.exists()) || (await lengthOf(results)) < 2) await sleep(20);
    const { receivedMessageItems } = await results.receiveMessages({ numberOfMessages: 10 });
    const texts = receivedMessageItems.map(({ messageText }) => Buffer.from(messageText, 'base64').toString());
    expect(texts).toEqual(['a', '{\n  "b": 1\n}']);
    await host.stop();
  });
});

describe('a poison handler that fails', () => {
  test('does not get its message again at once', async () => {
    // The trigger listens to a queue that is a poison queue itself.
    const { host, queue, send } = await workAt('own-poison');
    await send({ id: 'bad', fail: true });
    await host.saw('A message of own-poison failed (delivery 1)');
    await sleep(1_500);
    expect(host.output().match(/took/g)).toHaveLength(1);
    expect(await lengthOf(queue)).toBe(1);
    await host.stop();
  });
});
