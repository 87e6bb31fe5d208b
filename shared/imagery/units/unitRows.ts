import { lanes, unitOfText, type DoneUnit, type OpenUnit, type SliceAtWork, type SlicesLeft } from './unitWork.js';

/** How far a unit is, as columns of a row. */
interface StateRow {
  readonly attempts: number;
  readonly waits: number;
  readonly refusals: number;
  readonly notBefore: string;
  readonly checkAt: string;
  readonly failure: string;
  readonly claim: string;
  readonly at: string;
  readonly only: string;
  /** When the row was last written, ISO 8601. */
  readonly writtenAt: string;
}

/** An open unit, or one that waits, as columns of a row. */
export interface UnitRow extends StateRow {
  readonly version: string;
  readonly from: string;
  readonly to: string;
  readonly lane: string;
  readonly publishedAt: string;
  /** Absent from rows that a version of before has written. */
  readonly listedAt?: string;
  readonly except: string;
  /** Of what waited: the unit is open by now, this row only has to go. */
  readonly taken?: boolean;
}

/** What became of a unit, as columns of a row. */
export interface DoneRow {
  readonly mark: string;
  readonly customers: number;
  readonly fields: number;
}

const textOf = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value));

/** What attempts change of a unit. @param writtenAt now, ISO 8601 */
export const stateOf = (unit: OpenUnit, writtenAt: string): StateRow => ({
  attempts: unit.attempts,
  waits: unit.waits,
  refusals: unit.refusals,
  notBefore: new Date(unit.notBefore).toISOString(),
  checkAt: new Date(unit.checkAt).toISOString(),
  failure: (unit.failure ?? '').slice(0, 2_000),
  claim: unit.claim,
  at: textOf(unit.at),
  only: textOf(unit.only),
  writtenAt,
});

/** All of a unit but its key. @param writtenAt now, ISO 8601 */
export const unitRow = (unit: OpenUnit, writtenAt: string): UnitRow => ({
  ...stateOf(unit, writtenAt),
  version: unit.version,
  from: unit.from,
  to: unit.to,
  lane: unit.lane,
  publishedAt: new Date(unit.publishedAt).toISOString(),
  listedAt: new Date(unit.listedAt).toISOString(),
  except: textOf(unit.except),
});

/** The unit of a row. @param rowKey `W|…`, or `L|<inverse of publication>|…` */
export function openUnitOf(rowKey: string, row: UnitRow): OpenUnit {
  const key = unitOfText(rowKey.replace(/^(W|L\|\d+)\|/, ''));
  const { attempts, waits, refusals, version, from, to, claim } = row;
  return {
    ...key,
    ...{ attempts, waits, refusals, version, from, to, claim },
    lane: lanes.find((name) => name === row.lane) ?? 'live',
    notBefore: Date.parse(row.notBefore),
    checkAt: Date.parse(row.checkAt),
    publishedAt: Date.parse(row.publishedAt),
    listedAt: row.listedAt === undefined ? 0 : Date.parse(row.listedAt),
    except: JSON.parse(row.except) as string[],
    ...(row.failure === '' ? {} : { failure: row.failure }),
    ...(row.at === '' ? {} : { at: JSON.parse(row.at) as SliceAtWork }),
    ...(row.only === '' ? {} : { only: JSON.parse(row.only) as SlicesLeft }),
  };
}

/** What was done, but its key. */
export const doneRow = ({ mark, customers, fields }: Omit<DoneUnit, 'tile' | 'date' | 'cell' | 'part'>): DoneRow => ({
  mark,
  customers,
  fields,
});

/** What was done by a row. @param row its key is `X|<date>|<tile>|<cell>|<part>` */
export function doneUnitOf({ rowKey, mark, customers, fields }: DoneRow & { readonly rowKey: string }): DoneUnit {
  const [, date = '', tile = '', cell = '', part = ''] = rowKey.split('|');
  return { tile, date, cell: Number(cell), part, mark, customers, fields };
}
