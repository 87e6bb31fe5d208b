import { QueueServiceClient, type StoragePipelineOptions } from '@azure/storage-queue';
import { afterAll } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AzureMessages } from '../../shared/storage/azure/azureMessages.js';
import { describeMessages } from '../storage/messagesSuite.js';
import { service } from './service.js';
import { settings } from './storage.js';

// The option is handed on to the pipeline, though the type of this client leaves it out.
const trusting = { tlsOptions: { ca: readFileSync(service.caFile, 'utf8') } } as StoragePipelineOptions;
const account = QueueServiceClient.fromConnectionString(settings['DATA_STORAGE'] ?? '', trusting);
const opened: string[] = [];
afterAll(() => Promise.all(opened.map((name) => account.deleteQueue(name))));

describeMessages('in a queue', async () => {
  const name = `messages-${randomUUID()}`;
  await account.createQueue(name);
  opened.push(name);
  return new AzureMessages(account.getQueueClient(name));
});
