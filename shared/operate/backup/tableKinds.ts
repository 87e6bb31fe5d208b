import { tableNames, type TableName } from '../../storage/names.js';

/**
 * How each table survives the loss of the account. `kept`: exported every night and restored. `rebuilt`: not exported,
 * since its rows come again by themselves, for the reason beside it. A new table does not compile without its kind.
 */
export const tableKinds = {
  // Only jobs and cascade deletes; the other rows are written again by the restore.
  work: 'kept',
  enrollments: 'kept',
  fields: 'kept',
  fieldDates: 'kept',
  customers: 'kept',
  tenants: 'kept',
  farmParties: 'kept',
  farmFarms: 'kept',
  farmFields: 'kept',
  farmInsights: 'kept',
  // With their secrets, which are sealed by a key that no export holds.
  webhooks: 'kept',
  // Who had what done must outlive the account.
  audit: 'kept',
  // A bucket of a rate is full when it is missing. Holds of tenants are set again: the rows of `audit` tell of them.
  limits: 'rebuilt',
  // It follows from the fields of enrollments; a thirtieth is compared with them every night.
  interest: 'rebuilt',
  // The catalogue still has the scenes; what was made of them is in fieldDates.
  scenes: 'rebuilt',
  // Without a cursor the feed begins anew; scenes that it missed are found at night.
  feed: 'rebuilt',
  // The log begins anew with higher numbers; what it told can be read from the state.
  notices: 'rebuilt',
} as const satisfies Record<TableName, 'kept' | 'rebuilt'>;

/** The tables of an export, in the order in which they are written and restored. */
export const keptTables: readonly TableName[] = tableNames.filter((name) => tableKinds[name] === 'kept');
