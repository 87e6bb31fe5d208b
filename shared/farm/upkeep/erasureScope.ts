/** The kind of the work that erases a party, or all data of a tenant. */
export const ERASE = 'erase';

/** What is erased: one party, or everything of a tenant. */
export interface ErasureScope {
  readonly tenant: string;
  readonly partyId?: string;
}
