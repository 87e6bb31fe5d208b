import { hash } from 'node:crypto';
import { requireLand } from '../land/getLand.js';
import type { FarmInsightStore, StoredPart } from '../insights/insightStore.js';
import { attachmentView, insightView } from '../insights/insightView.js';
import { partyKeyOf, type Land } from '../land/land.js';
import type { PartyScope } from '../land/landPlace.js';
import type { LandStore } from '../land/landStore.js';
import { landView } from '../wire/landView.js';
import { unpacked } from '../land/packedShape.js';
import type { WireObject } from '../wire/resourceRules.js';

export interface ExportPorts {
  readonly land: Pick<LandStore, 'find' | 'page' | 'packedOf'>;
  readonly insights: Pick<FarmInsightStore, 'pageOfParty' | 'readFile'>;
}

/** A resource as an export holds it, and as an import takes it. */
export interface ExportedResource {
  /** Where the API has it. */
  readonly path: string;
  readonly resource: WireObject;
  /** Of an attachment: the file of its content beside the list of resources. */
  readonly file?: string;
  readonly bytes?: Uint8Array;
}

/** Rows with geometries, and insights, are large. */
const PAGE = 100;

/**
 * Everything of a party as callers see it, parents before children: party, farms, fields, insights, attachments. What is
 * written meanwhile may be missing.
 *
 * @throws ServiceError 404 without the party
 */
export async function* exportedResources(
  ports: ExportPorts,
  { tenant, partyId }: { readonly tenant: string; readonly partyId: string },
): AsyncGenerator<ExportedResource> {
  const { land: party } = await requireLand(ports.land, partyKeyOf(tenant, partyId));
  yield { path: `/parties/${party.id}`, resource: landView(party) };
  for (const kind of ['farm', 'field'] as const) {
    for await (const { packed, ...each } of landBelow(ports, { kind, tenant, partyId })) {
      const geometry = packed && (await unpacked(packed));
      const resource = { ...landView(each), ...(geometry && { geometry }) };
      yield { path: `/parties/${party.id}/${kind}s/${each.id}`, resource };
    }
  }
  yield* insightsOf(ports, { tenant, partyId });
  yield* attachmentsOf(ports, { tenant, partyId });
}

async function* landBelow({ land }: ExportPorts, scope: PartyScope): AsyncGenerator<Land> {
  for (let after: { party: string; row: string } | undefined; ;) {
    const page = await land.page(scope, { after, most: PAGE, withShapes: true });
    for (const { item, shape } of page) {
      if (item.isDeleting === true) continue;
      yield { ...item, packed: item.extent && (await land.packedOf({ ...scope, id: item.id }, shape)) };
    }
    if (page.length < PAGE) return;
    after = page.at(-1)?.at;
  }
}

interface Party {
  readonly tenant: string;
  readonly partyId: string;
}

async function* insightsOf(ports: ExportPorts, party: Party): AsyncGenerator<ExportedResource> {
  for await (const { part } of partsOf(ports, 'insight', party)) {
    const owner = ownerPathOf(part);
    const link = `${owner}/insight-attachments?insightIds=${part.id}`;
    yield { path: `${owner}/insights/${part.id}`, resource: insightView(part, link) };
  }
}

async function* attachmentsOf(ports: ExportPorts, party: Party): AsyncGenerator<ExportedResource> {
  for await (const { part, epoch } of partsOf(ports, 'attachment', party)) {
    const path = `${ownerPathOf(part)}/insight-attachments/${part.id}`;
    const bytes = await ports.insights.readFile({ tenant: party.tenant, ...part }, part.id, epoch);
    // Replaced or withdrawn since its row was read.
    if (bytes === undefined) continue;
    const [ending = ''] = /\.[A-Za-z0-9]{1,10}$/.exec(part.originalFileName) ?? [];
    const file = `attachments/${hash('sha256', path).slice(0, 32)}${ending}`;
    yield { path, resource: attachmentView(part), file, bytes };
  }
}

async function* partsOf<P extends 'insight' | 'attachment'>(
  { insights }: ExportPorts,
  kind: P,
  party: Party,
): AsyncGenerator<StoredPart<P>> {
  for (let after: string | undefined; ;) {
    const page = await insights.pageOfParty(kind, party, { after, most: PAGE });
    yield* page.map(({ item }) => item).filter(({ isWithdrawn }) => !isWithdrawn);
    if (page.length < PAGE) return;
    after = page.at(-1)?.at;
  }
}

const ownerPathOf = (part: {
  readonly partyId: string;
  readonly modelId: string;
  readonly resourceType: string;
  readonly resourceId: string;
}): string =>
  `/parties/${part.partyId}/models/${part.modelId}/resource-types/${part.resourceType}/resources/${part.resourceId}`;
