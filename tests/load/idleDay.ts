/** What the timers of a day ask of storage while nobody calls and nothing is new, with 10, 1,000 and 10,000 customers. */
import type { TableClient } from '@azure/data-tables';
import type { ContainerClient } from '@azure/storage-blob';
import type { QueueClient } from '@azure/storage-queue';
import { randomId } from '../../shared/kit/ids.js';
import { AzureBlobs } from '../../shared/storage/azure/azureBlobs.js';
import { AzureMessages } from '../../shared/storage/azure/azureMessages.js';
import { AzureRows } from '../../shared/storage/azure/azureRows.js';
import { dataContainerNames, poisonQueueOf, queueNames, tableNames } from '../../shared/storage/names.js';
import { CountedStorage } from '../imagery/units/countedStorage.js';
import { IdleService, operationsOf, type IdleStorage, type TimerCost } from '../wiring/idleService.js';
import { MemoryStorage } from '../wiring/memoryStorage.js';
import { markdownTable } from './writeSection.js';

const SIZES = [10, 1_000, 10_000] as const;
const CUSTOMERS_OF_A_TILE = 5;
const tilesOf = (customers: number): number => customers / CUSTOMERS_OF_A_TILE;

/** The emulator as the storage of an idle service. */
async function emulatedStorage(): Promise<IdleStorage> {
  const storage = await CountedStorage.start();
  const tables = new Map<string, TableClient>();
  const queues = new Map<string, QueueClient>();
  const containers = new Map<string, ContainerClient>();
  for (const name of tableNames) tables.set(name, await storage.table(name));
  for (const name of [...queueNames, ...queueNames.map(poisonQueueOf)]) queues.set(name, await storage.queue(name));
  for (const name of dataContainerNames) containers.set(name, await storage.container(name));
  return {
    data: {
      table: (name) => tables.get(name)!,
      rows: (name) => new AzureRows(tables.get(name)!, randomId),
      queue: (name) => queues.get(name)!,
      messages: (name) => new AzureMessages(queues.get(name)!),
      container: (name) => containers.get(name)!,
      blobs: (name) => new AzureBlobs(containers.get(name)!),
    },
    get requests() {
      return storage.requests;
    },
    take: async (name) => {
      const queue = queues.get(name)!;
      const { receivedMessageItems } = await queue.receiveMessages({ numberOfMessages: 32 });
      for (const { messageId, popReceipt } of receivedMessageItems) await queue.deleteMessage(messageId, popReceipt);
      return receivedMessageItems.map(({ messageText }) => messageText);
    },
    stop: () => storage.stop(),
  };
}

/** The day at each of some sizes, one after the other. */
async function daysOn(storage: IdleStorage, sizes: readonly number[]): Promise<readonly (readonly TimerCost[])[]> {
  const service = await IdleService.on(storage);
  const days: (readonly TimerCost[])[] = [];
  for (const size of sizes) {
    await service.growTo(size);
    days.push(await service.day());
  }
  await service.stop();
  return days;
}

const figure = (operations: number): string => Math.round(operations).toLocaleString('en-US');

/** Operations of each timer in a day, and of all. */
export async function idleTable(): Promise<string> {
  const [emulated = []] = await daysOn(await emulatedStorage(), [SIZES[0]]);
  const days = await daysOn(new MemoryStorage(), SIZES);
  const columns = [
    { title: '10, emulator', day: emulated, customers: SIZES[0] },
    ...days.map((day, index) => ({ title: figure(SIZES[index] ?? 0), day, customers: SIZES[index] ?? 0 })),
  ];
  const rows = (days[0] ?? []).map(({ timer, timesADay }, row) => [
    timer,
    figure(timesADay),
    ...columns.map(({ day, customers }) => figure(operationsOf(day.slice(row, row + 1), tilesOf(customers)))),
    '',
  ]);
  const all = columns.map(({ day, customers }) => figure(operationsOf(day, tilesOf(customers))));
  const head = ['timer', 'times a day', ...columns.map(({ title }) => title), 'goal'];
  return markdownTable(head, [...rows, ['all', '', ...all, '≤ 45,000 with 10,000']]);
}
