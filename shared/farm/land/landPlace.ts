import type { TableName } from '../../storage/names.js';
import type { Row } from '../../storage/rows.js';
import { idKeyOf, type LandKey, type LandKind } from './land.js';

/**
 * Tables of parties, farms and fields.
 *
 * - `farmParties`: PartitionKey `<tenant>`, RowKey `<party>`
 * - `farmFarms`, `farmFields`: PartitionKey `<tenant>|<party>`, RowKey `<farm>` or `<field>`
 *
 * A tenant is a UUID in lower case and no id holds `|`, so the partitions of a tenant are those that begin with
 * `<tenant>|`, and no others.
 */
export const tableOf = { party: 'farmParties', farm: 'farmFarms', field: 'farmFields' } as const satisfies Record<
  LandKind,
  TableName
>;

/** Which resources a list goes through: those of a tenant or of one party. */
export interface LandScope {
  readonly kind: LandKind;
  readonly tenant: string;
  readonly partyId?: string;
}

/** Those of one party. */
export type PartyScope = LandScope & { readonly partyId: string };

/** Where a list stands: behind this row. It names no tenant. */
export interface LandPosition {
  /** Key of the party; empty in a list of parties. */
  readonly party: string;
  readonly row: string;
}

/** Keys of the row of a resource. */
export function landPlaceOf(key: LandKey): [partitionKey: string, rowKey: string] {
  return [partitionOf(key), idKeyOf(key.id)];
}

export const partitionOf = ({ kind, tenant, partyId = '' }: LandScope): string =>
  kind === 'party' ? tenant : `${tenant}|${idKeyOf(partyId)}`;

/** Whether all that a list goes through lies in one partition. */
export const isOnePartition = ({ kind, partyId }: LandScope): boolean => kind === 'party' || partyId !== undefined;

/** The partition that a page begins in; undefined for the first page of all parties. */
export function firstPartitionOf(scope: LandScope, after: LandPosition | undefined): string | undefined {
  if (after !== undefined) return partitionOf({ ...scope, partyId: after.party });
  return isOnePartition(scope) ? partitionOf(scope) : undefined;
}

/** One text for a resource of any kind. */
export const placeNameOf = (key: LandKey): string => [key.kind, ...landPlaceOf(key)].join(' ');

/** Where a list stands behind a row. */
export const positionOf = ({ partitionKey, rowKey }: Row<unknown>): LandPosition => {
  const [, party = ''] = partitionKey.split('|');
  return { party, row: rowKey };
};
