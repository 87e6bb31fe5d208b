/** What each request asks of storage: the first with a fresh process, and each further one. */
import { randomUUID } from 'node:crypto';
import { cancelCall, createCall, fetchCall, getCall, listCall, sasCall, type Call } from './calls.js';
import { withCountedService, type CountedService } from './countedService.js';
import { totalOf, type RequestCount } from './requestLog.js';
import { submitCall } from './uploads.js';
import { markdownTable } from './writeSection.js';

const CALLS = 20;
/** Below the size from which an upload is held back. */
const UPLOAD_BYTES = 100_000;

interface Operation {
  readonly name: string;
  /** What reliability allows, storage operations of a request once credentials are remembered. */
  readonly most: number;
  readonly call: (index: number) => Call;
}

function operationsOf({ loaded: { service } }: CountedService, enrollmentId: string): readonly Operation[] {
  const ids = Array.from({ length: CALLS + 1 }, () => `cost-${randomUUID()}`);
  const id = (index: number): string => ids[index] ?? '';
  return [
    { name: 'gdd:create', most: 4, call: (index) => createCall(service, id(index)) },
    { name: 'gdd:fetch', most: 1, call: (index) => fetchCall(service, id(index)) },
    { name: 'gdd:cancel', most: 4, call: (index) => cancelCall(service, id(index)) },
    { name: 'submit', most: 6, call: (index) => submitCall(service, `cost-${index}`, UPLOAD_BYTES) },
    { name: 'get enrollment', most: 1, call: () => getCall(service, enrollmentId) },
    { name: 'list of 50', most: 2, call: () => listCall(service) },
    { name: 'sas-token', most: 0, call: () => sasCall(service) },
  ];
}

const each = (count: number): string => (count / CALLS).toFixed(count % CALLS === 0 ? 0 : 2);

function rowOf({ name, most }: Operation, first: RequestCount, count: RequestCount): readonly string[] {
  const { tableReads, tableWrites, queue, blobReads, blobWrites } = count;
  const kinds = [tableReads, tableWrites, queue, blobReads, blobWrites].map(each);
  const total = totalOf(count) / CALLS;
  return [
    name,
    String(totalOf(first)),
    ...kinds,
    total.toFixed(total % 1 === 0 ? 0 : 2),
    `≤ ${most}`,
    total <= most ? 'met' : 'missed',
  ];
}

/** The table of all operations, counted one after the other on an instance that only answers requests. */
export function requestTable(): Promise<string> {
  return withCountedService({ functions: 'http' }, async (counted) => {
    const { caller, loaded, taken } = counted;
    const submitted = await caller.json(submitCall(loaded.service, 'first', UPLOAD_BYTES));
    const { enrollment_id: enrollmentId } = submitted as { readonly enrollment_id: string };
    const rows: (readonly string[])[] = [];
    for (const operation of operationsOf(counted, enrollmentId)) {
      await taken();
      await caller.json(operation.call(CALLS));
      const first = await taken();
      for (let index = 0; index < CALLS; index += 1) await caller.json(operation.call(index));
      rows.push(rowOf(operation, first, await taken()));
    }
    const head = [
      'request',
      'first',
      'table reads',
      'table writes',
      'queue',
      'blob reads',
      'blob writes',
      'all',
      'gate',
      '',
    ];
    return markdownTable(head, rows);
  });
}
