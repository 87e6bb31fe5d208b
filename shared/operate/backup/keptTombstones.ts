import type { ErasureScope } from '../../farm/upkeep/erasureScope.js';
import { idKeyOf } from '../../farm/land/land.js';
import type { Blobs } from '../../storage/blobs.js';

/** What was erased and who was purged, and when: milliseconds since 1970 UTC, of several the latest. */
export interface Kept {
  readonly erased: readonly (ErasureScope & { readonly erasedAt: number })[];
  readonly purged: ReadonlyMap<string, number>;
}

const ERASED = 'erased/';
const PURGED = 'purged/';
/** No id of a party has a star. */
const ALL = '*';

/**
 * Tombstones beside the exports, in a container of their own that nothing expires: an export is older than what was erased
 * behind it, and may be all that is left. Names say everything, so that one list reads them:
 *
 * - `erased/<tenant>/<party, or *>/<instant>`
 * - `purged/<customer>/<instant>`
 */
export class KeptTombstones {
  readonly #blobs: Pick<Blobs, 'write' | 'list'>;

  /** @param blobs container `tombstones` of the backup account */
  constructor(blobs: Pick<Blobs, 'write' | 'list'>) {
    this.#blobs = blobs;
  }

  /** Before the first deletion; the same once more is harmless. @throws ServiceError 503 */
  keepErasure({ tenant, partyId }: ErasureScope, erasedAt: number): Promise<void> {
    // Storage takes no segment of a name that ends with a dot, and no id has `!`.
    const party = partyId === undefined ? ALL : idKeyOf(partyId).replaceAll('.', '!');
    return this.#keep(`${ERASED}${tenant}/${party}/${erasedAt}`);
  }

  /** Before the first deletion; the same once more is harmless. @throws ServiceError 503 */
  keepPurge(customer: string, purgedAt: number): Promise<void> {
    return this.#keep(`${PURGED}${customer}/${purgedAt}`);
  }

  async read(): Promise<Kept> {
    const names = (await this.#blobs.list('')).map(({ name }) => name);
    const erased = names.flatMap((name) => {
      const [, tenant, party, at] = /^erased\/([^/]+)\/([^/]+)\/(\d+)$/.exec(name) ?? [];
      if (tenant === undefined || party === undefined) return [];
      const scope = party === ALL ? { tenant } : { tenant, partyId: party.replaceAll('!', '.') };
      return [{ ...scope, erasedAt: Number(at) }];
    });
    const purged = names.flatMap((name): [string, number][] => {
      const [, customer, at] = /^purged\/([^/]+)\/(\d+)$/.exec(name) ?? [];
      return customer === undefined ? [] : [[customer, Number(at)]];
    });
    return { erased, purged: new Map(purged.toSorted(([, one], [, other]) => one - other)) };
  }

  async #keep(name: string): Promise<void> {
    // Over one of the same name too: a condition that is not met would look like a container that is not there.
    await this.#blobs.write(name, new Uint8Array(), { type: 'application/octet-stream' });
  }
}
