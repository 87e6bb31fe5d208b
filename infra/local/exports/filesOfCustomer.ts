import type { CustomerStore } from '../../../shared/access/customers/customerStore.js';
import type { Blobs } from '../../../shared/storage/blobs.js';
import { IMAGERY_FOLDER } from '../../../shared/storage/names.js';
import type { Rows } from '../../../shared/storage/rows.js';
import { ownerOfCustomer } from '../../../shared/notices/log/noticeOwner.js';
import { webhookFile, type WebhookExportPorts } from './webhookFile.js';
import { filesOfOwner, jsonFile, linesOf, pagesOfRows, textFile, type ExportedFile } from './exportedFile.js';

export interface CustomerExportPorts {
  readonly customers: Pick<CustomerStore, 'find' | 'listKeys'>;
  readonly rows: (table: 'enrollments' | 'fields' | 'fieldDates') => Pick<Rows, 'range'>;
  readonly webhooks: WebhookExportPorts;
  readonly inputs: Pick<Blobs, 'list' | 'read'>;
  readonly images: Pick<Blobs, 'list' | 'read'>;
}

const readme = (customer: string): string => `What is stored of the customer ${customer}.

customer.json          the customer, and its keys without what proves them
enrollments.ndjson     its enrollments, a row a line
fields.ndjson          its fields; geometries are in inputs/geometries/
field-dates.ndjson     what became of each field on each day
webhooks.json          its webhooks as GET /v1/webhooks shows them, without what stands behind the ? of their addresses
inputs/                what was submitted, and geometries as they are used
images/                all images with their documents, as ${customer}/${IMAGERY_FOLDER}/ has them

Left out, for it is made of the above or tells nothing of the customer: work that is under way, counters of rates, the index
of watched fields, digests of keys. Left out too: secrets of webhooks and queries of their addresses, which may give access, deliveries, which
GET /v1/webhooks/{webhook_id}/deliveries shows, and the log of events, which GET /v1/events shows, for as long as both are
kept. Log lines hold a fingerprint of the customer's name.
`;

/** Everything of a customer; undefined when there is none. What is written meanwhile may be missing. */
export async function filesOfCustomer(
  ports: CustomerExportPorts,
  customer: string,
): Promise<AsyncIterable<ExportedFile> | undefined> {
  const found = await ports.customers.find(customer);
  if (found === undefined) return undefined;
  const keys = await ports.customers.listKeys(customer);
  const shown = keys.map(({ keyId, createdAt, expiresAt, revokedAt }) => ({ keyId, createdAt, expiresAt, revokedAt }));
  const rows = (path: string, table: Parameters<typeof ports.rows>[0]): ExportedFile => ({
    path,
    chunks: linesOf(pagesOfRows(ports.rows(table), customer)),
  });
  return (async function* () {
    yield textFile('README.txt', readme(customer));
    yield jsonFile('customer.json', { ...found, keys: shown });
    yield rows('enrollments.ndjson', 'enrollments');
    yield rows('fields.ndjson', 'fields');
    yield rows('field-dates.ndjson', 'fieldDates');
    yield await webhookFile(ports.webhooks, ownerOfCustomer(customer));
    yield* filesOfOwner(ports.inputs, { owner: customer, folder: 'inputs' });
    yield* filesOfOwner(ports.images, { owner: `${customer}/${IMAGERY_FOLDER}`, folder: 'images' });
  })();
}
