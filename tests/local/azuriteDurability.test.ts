import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitOf, startAzuriteUnderTest, type AzuriteUnderTest } from './azuriteUnderTest.js';
import { bundled } from './bundled.js';

let program: string;
let directory: string;
beforeAll(async () => {
  program = await bundled('azuriteProcess');
});
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'azurite-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

const start = (): Promise<AzuriteUnderTest> => startAzuriteUnderTest(program, { directory });

async function writeSome(azurite: AzuriteUnderTest): Promise<void> {
  await azurite.blobs().getContainerClient('insights').getBlockBlobClient('a/b.json').upload('kept', 4);
  await azurite.queues().getQueueClient('jobs-gdd').sendMessage('kept');
}

async function readBack(azurite: AzuriteUnderTest): Promise<readonly string[]> {
  const blob = await azurite.blobs().getContainerClient('insights').getBlobClient('a/b.json').downloadToBuffer();
  const { peekedMessageItems } = await azurite.queues().getQueueClient('jobs-gdd').peekMessages();
  return [blob.toString(), ...peekedMessageItems.map(({ messageText }) => messageText)];
}

describe('what storage has acknowledged', () => {
  test.each([
    {
      why: 'its parent dies, by which the channel to it closes',
      end: ({ process }: AzuriteUnderTest): void => {
        process.disconnect();
      },
    },
    {
      why: 'it is told to end',
      end: ({ process }: AzuriteUnderTest): void => {
        process.kill('SIGTERM');
      },
    },
  ])('is there after a restart when $why', async ({ end }) => {
    const first = await start();
    await writeSome(first);
    end(first);
    // Not waiting for the first is the point: the second has to.
    const second = await start();
    expect(first.process.exitCode).toBe(0);
    expect(await readBack(second)).toEqual(['kept', 'kept']);
    await second.stop();
  });
});

describe('an Azurite whose parent has died', () => {
  test('serves the process that uses it until that one has ended too', async () => {
    const azurite = await start();
    const user = await startAzuriteUnderTest(program, { directory: join(directory, 'user'), inMemory: true });
    azurite.process.send({ type: 'user', pid: user.process.pid });
    await azurite.queues().getQueueClient('jobs-gdd').sendMessage('one');
    azurite.process.disconnect();
    await azurite.queues().getQueueClient('jobs-gdd').sendMessage('two');
    expect(azurite.process.exitCode).toBeNull();
    await user.stop();
    expect(await exitOf(azurite.process)).toBe(0);
  });
});
