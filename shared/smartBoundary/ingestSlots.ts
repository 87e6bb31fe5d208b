/** Ingests that one tenant may have running at the same time: the data manager's limit. */
export const INGEST_SLOTS = 5;

/** Places for ingests. Whoever holds one names itself; a place nobody renews falls free by itself. */
export interface IngestSlots {
  /**
   * Takes a place, or keeps the one the owner has.
   *
   * @param until when it falls free, milliseconds since 1970 UTC
   * @returns false when all are taken
   */
  take(tenant: string, owner: string, until: number): Promise<boolean>;
  /** Gives the owner's place back; without one nothing happens. */
  release(tenant: string, owner: string): Promise<void>;
}
