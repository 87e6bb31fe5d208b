import { exportedResources, type ExportPorts } from '../../../shared/farm/operations/exportedResources.js';
import type { LandPosition } from '../../../shared/farm/land/landPlace.js';
import type { Job } from '../../../shared/jobs/job.js';
import type { JobStore } from '../../../shared/jobs/jobStore.js';
import type { Blobs } from '../../../shared/storage/blobs.js';
import type { TenantRow } from '../../../shared/access/tenants/tenantRegister.js';
import { workPartitions } from '../../../shared/work/item/workStore.js';
import { ownerOfTenant } from '../../../shared/notices/log/noticeOwner.js';
import { webhookFile, type WebhookExportPorts } from './webhookFile.js';
import { filesOfOwner, jsonFile, linesOf, textFile, type ExportedFile } from './exportedFile.js';

export interface TenantExportPorts extends ExportPorts {
  readonly tenants: { list(): Promise<readonly TenantRow[]> };
  readonly jobs: Pick<JobStore, 'pageOf'>;
  readonly webhooks: WebhookExportPorts;
  /** Container `insights`. */
  readonly results: Pick<Blobs, 'list' | 'read'>;
}

const readme = (tid: string): string => `What is stored of the tenant ${tid}.

tenant.json                       its registration
jobs.ndjson                       its jobs, a line each
insights/<insight id>/            what jobs made
webhooks.json                     its webhooks as GET /v1/webhooks shows them, without what stands behind the ? of addresses
parties/<id>/resources.ndjson     party, farms, fields, insights, attachments as the API answers them, parents before children
parties/<id>/attachments/         contents of attachments, which their lines name as file

Left out: what is in the tenant's own vault, work that is under way, and counters of rates;
secrets of webhooks and queries of their addresses, which may give access, deliveries, which
GET /v1/webhooks/{webhook_id}/deliveries shows, and the log of events, which GET /v1/events shows, for as long as both are
kept. Log lines hold a fingerprint of the tenant's id.
`;

const PAGE = 1_000;

async function* pagesOfJobs({ jobs }: TenantExportPorts, tid: string): AsyncGenerator<readonly Job[]> {
  for (const partition of workPartitions) {
    for (let after: Job | undefined; ;) {
      const page: readonly { readonly job: Job }[] = await jobs.pageOf(tid, { partition, after, most: PAGE });
      yield page.map(({ job }) => job);
      if (page.length < PAGE) break;
      after = page.at(-1)?.job;
    }
  }
}

async function* partiesOf({ land }: TenantExportPorts, tenant: string): AsyncGenerator<string> {
  for (let after: LandPosition | undefined; ;) {
    const page = await land.page({ kind: 'party', tenant }, { after, most: PAGE });
    for (const { item } of page) if (item.isDeleting !== true) yield item.id;
    if (page.length < PAGE) return;
    after = page.at(-1)?.at;
  }
}

/** One party: its resources as a file of lines, and behind it the files that some of them name. */
async function* filesOfParty(
  ports: TenantExportPorts,
  party: { readonly tenant: string; readonly partyId: string },
): AsyncGenerator<ExportedFile> {
  const folder = `parties/${party.partyId}`;
  const lines: string[] = [];
  for await (const { bytes, ...line } of exportedResources(ports, party)) {
    lines.push(`${JSON.stringify(line)}\n`);
    if (bytes !== undefined) yield { path: `${folder}/${line.file ?? ''}`, chunks: [bytes] };
  }
  yield textFile(`${folder}/resources.ndjson`, lines.join(''));
}

/** Everything that the service keeps of a tenant, registered or not. What is written meanwhile may be missing. */
export async function* filesOfTenant(ports: TenantExportPorts, tid: string): AsyncGenerator<ExportedFile> {
  yield textFile('README.txt', readme(tid));
  const row = (await ports.tenants.list()).find((each) => each.tid === tid);
  yield jsonFile('tenant.json', row ?? { tid, state: 'not registered' });
  yield { path: 'jobs.ndjson', chunks: linesOf(pagesOfJobs(ports, tid)) };
  yield await webhookFile(ports.webhooks, ownerOfTenant(tid));
  yield* filesOfOwner(ports.results, { owner: tid, folder: 'insights' });
  for await (const partyId of partiesOf(ports, tid)) yield* filesOfParty(ports, { tenant: tid, partyId });
}
