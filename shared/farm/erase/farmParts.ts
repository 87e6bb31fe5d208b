import { limiter } from '../../kit/limiter.js';
import type { Blobs } from '../../storage/blobs.js';
import type { ErasureScope } from '../upkeep/erasureScope.js';
import type { FarmRequests } from '../upkeep/farmRequests.js';
import type { FarmInsightStore } from '../insights/insightStore.js';
import { partyFolderOf, partyKeyOf, type LandKind } from '../land/land.js';
import type { LandStore, ListedLand } from '../land/landStore.js';
import type { ErasureMark, ErasurePart } from './eraseKind.js';

export interface FarmPartsPorts {
  readonly land: LandStore;
  readonly insights: FarmInsightStore;
  readonly requests: FarmRequests;
  /** Container `farm-data`. */
  readonly files: Blobs;
}

const PAGE = 1_000;
/** Deletions of blobs under way at once. */
const PARALLEL = 16;

/** Everything of farm data: imports first, which would go on writing, then those that others are written below. */
export const farmParts = (ports: FarmPartsPorts): readonly ErasurePart[] => [
  requestsOf(ports),
  parties(ports),
  landBelow(ports, 'farm', (count) => ({ farms: count })),
  landBelow(ports, 'field', (count) => ({ fields: count })),
  insightsAndFiles(ports),
];

/** The parties of a tenant; that of a single erasure is its mark, and goes last. */
const parties = ({ land }: FarmPartsPorts): ErasurePart =>
  async function* ({ tenant, partyId }) {
    if (partyId !== undefined) return;
    yield* pagesOf(land, { kind: 'party', tenant }, (count) => ({ parties: count }));
  };

const landBelow =
  (
    { land }: FarmPartsPorts,
    kind: 'farm' | 'field',
    counted: (count: number) => { readonly farms?: number; readonly fields?: number },
  ): ErasurePart =>
  (scope) =>
    pagesOf(land, { kind, ...scope }, counted);

async function* pagesOf<C>(
  land: LandStore,
  scope: ErasureScope & { readonly kind: LandKind },
  counted: (count: number) => C,
): AsyncGenerator<C> {
  for (;;) {
    const page = await land.page(scope, { after: undefined, most: PAGE });
    if (page.length === 0) return;
    for (const [partyId, ids] of idsByParty(page)) await land.deleteMany({ ...scope, partyId }, ids);
    yield counted(page.length);
  }
}

function idsByParty(page: readonly ListedLand[]): ReadonlyMap<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { at } of page) ids.set(at.party, [...(ids.get(at.party) ?? []), at.row]);
  return ids;
}

const insightsAndFiles = (ports: FarmPartsPorts): ErasurePart =>
  async function* ({ tenant, partyId }) {
    const { insights } = ports;
    for (;;) {
      const removed =
        partyId === undefined
          ? await insights.removeSomeOf(tenant)
          : await insights.removeSome({ tenant, partyId }).then((parts) => parts.insights + parts.attachments);
      if (removed === 0) break;
      yield { insights: removed };
    }
    // Contents of insights, large geometries, and what writers that died have left of both.
    yield {
      files: await removeFilesIn(ports, partyId === undefined ? `${tenant}/` : partyFolderOf({ tenant, partyId })),
    };
  };

async function removeFilesIn({ files }: FarmPartsPorts, folder: string): Promise<number> {
  const deleting = limiter(PARALLEL);
  const found = await files.list(folder);
  await Promise.all(found.map(({ name }) => deleting(() => files.delete(name))));
  return found.length;
}

const requestsOf = ({ requests }: FarmPartsPorts): ErasurePart =>
  async function* (scope) {
    for await (const count of requests.removeOf(scope)) yield { requests: count };
  };

/** The mark of a party: its row, as one that is being deleted. Of a tenant that is erased nobody writes anything. */
export const erasureMark = ({ land }: Pick<FarmPartsPorts, 'land'>, now: () => number): ErasureMark => ({
  set: async ({ tenant, partyId }) => {
    if (partyId === undefined) return;
    const key = partyKeyOf(tenant, partyId);
    for (;;) {
      const found = await land.find(key);
      if (found?.land.isDeleting === true) return;
      if (found !== undefined) {
        if (await land.mark(key, found.etag)) return;
        continue;
      }
      // A party that is created meanwhile would be erased, too.
      const at = { createdAt: now(), createdBy: '', modifiedAt: now(), modifiedBy: '' };
      const none = { kind: key.kind, id: partyId, partyId, eTag: '', ...at, isDeleting: true };
      if (await land.insert(key, none)) return;
    }
  },
  remove: async ({ tenant, partyId }, erasedAt) => {
    if (partyId === undefined) return;
    const key = partyKeyOf(tenant, partyId);
    const found = await land.find(key);
    const isErased = found?.land.isDeleting === true && found.land.createdAt <= erasedAt;
    if (found !== undefined && isErased) await land.remove(key, found.etag);
  },
});
