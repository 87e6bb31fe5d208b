import { ManagedIdentityCredential } from '@azure/identity';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import { readFileSync } from 'node:fs';
import { systemClock } from '../../shared/kit/clock.js';
import { blobBelongings, rowBelongings } from '../../shared/storage/belongings.js';
import { purgeCustomer, type PurgePlan } from '../../shared/access/customers/purgeCustomer.js';
import { CustomerStore } from '../../shared/access/customers/customerStore.js';
import { bucketBelongings } from '../../shared/access/rates/bucketStore.js';
import { interestBelongings } from '../../shared/imagery/interest/tableInterestStore.js';
import { listUnitAttempts } from '../../shared/imagery/units/unitAttempts.js';
import { WorkStore } from '../../shared/work/item/workStore.js';
import { workOfCustomer } from '../../shared/wiring/areas/customerBelongings.js';
import { tombstonesInMemory } from '../support/keptTombstones.js';
import { ManualClock } from '../support/manualClock.js';
import { service } from './service.js';
import { settings, rowsOf } from './storage.js';

/** A container of the running service, seen as the app sees it. @param account its blob endpoint */
export function containerOf(account: string, name: string): ContainerClient {
  process.env['IDENTITY_ENDPOINT'] = settings['IDENTITY_ENDPOINT'];
  process.env['IDENTITY_HEADER'] = settings['IDENTITY_HEADER'];
  // The client of this process is given the certificate; the identity stand-in speaks plain HTTP.
  const options = { retryOptions: { maxTries: 3 }, tlsOptions: { ca: readFileSync(service.caFile, 'utf8') } };
  return new BlobServiceClient(account, new ManagedIdentityCredential(), options).getContainerClient(name);
}

/** What `npm run customers -- purge <customer> --yes` does to the running service, on a clock that need not be waited for. */
export async function purged(customer: string): Promise<PurgePlan> {
  const clock = new ManualClock(new Date().toISOString());
  const belongings = [
    ...workOfCustomer(rowsOf('work')),
    ...(['enrollments', 'fields', 'fieldDates'] as const).map((name) => rowBelongings(name, rowsOf(name))),
    bucketBelongings('limits', rowsOf('limits')),
    interestBelongings('rows of interest', rowsOf('interest')),
    blobBelongings('inputs', containerOf(settings['DATA_STORAGE__blobServiceUri'] ?? '', 'enrollment-inputs')),
    blobBelongings('images', containerOf(service.blobEndpoint, 'imagery')),
  ];
  const customers = new CustomerStore(rowsOf('customers'));
  const progress: { isOver: boolean } = { isOver: false };
  const store = new WorkStore(rowsOf('work'));
  const listAttempts = listUnitAttempts({ store, clock: systemClock, leaseMs: 60_000 });
  // Those under way take time by another clock than the purge's: they are waited for here.
  const listSharedAttempts = async (): Promise<readonly string[]> => {
    while ((await listAttempts()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    return [];
  };
  const purge = purgeCustomer({
    keptTombstones: tombstonesInMemory(),
    customers,
    belongings,
    clock,
    leaseMs: 60_000,
    listSharedAttempts,
  })(customer).finally(() => {
    progress.isOver = true;
  });
  while (!progress.isOver) {
    // Storage is another process: whoever only turned the event loop would keep a processor busy meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 5));
    await clock.advance(1_000);
  }
  return purge;
}
