import { tableNames, type TableName } from '../storage/names.js';

/**
 * What becomes of each table when the account is lost. `kept`: exported every night and restored. `rebuilt`: left out,
 * for what it holds comes again by itself; the reason stands beside it. A new table does not compile without its kind.
 */
export const tableKinds = {
  // Of its rows the jobs alone come back: what is to be done about them, and about enrollments, is made again.
  work: 'kept',
  enrollments: 'kept',
  fields: 'kept',
  fieldDates: 'kept',
  customers: 'kept',
  tenants: 'kept',
  // Buckets of rates fill up again, as callers come.
  limits: 'rebuilt',
  // It follows from the fields of enrollments, with which a thirtieth of it is compared every night.
  interest: 'rebuilt',
  // The catalogue still has its scenes; what was made of them stands in fieldDates.
  scenes: 'rebuilt',
  // Without a cursor the feed begins anew; what it missed is found at night.
  feed: 'rebuilt',
} as const satisfies Record<TableName, 'kept' | 'rebuilt'>;

/** The tables of an export, in the order in which they are written and restored. */
export const keptTables: readonly TableName[] = tableNames.filter((name) => tableKinds[name] === 'kept');
