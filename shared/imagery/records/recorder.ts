import type { FieldDate } from '../../enrollments/fields/fieldDate.js';

/** Records written together: the limit of one transaction. */
const RECORDS_PER_WRITE = 100;
/** Fewer after a failed attempt, so that the next attempt has less to repeat. */
const RECORDS_PER_REPEATED_WRITE = 20;

/** Stores records. @param fresh those of days of which no record was found before the work began */
type StoreRecords = (records: readonly FieldDate[], fresh: ReadonlySet<FieldDate>) => Promise<void>;

/** Collects records and stores them in batches. */
export class Recorder {
  readonly #store: StoreRecords;
  readonly #perWrite: number;
  #records: FieldDate[] = [];
  #fresh = new Set<FieldDate>();

  constructor(isRepeated: boolean, store: StoreRecords) {
    this.#store = store;
    this.#perWrite = isRepeated ? RECORDS_PER_REPEATED_WRITE : RECORDS_PER_WRITE;
  }

  /** @param isFresh whether no record of the day was found before the work began */
  async add(record: FieldDate, isFresh: boolean): Promise<void> {
    this.#records.push(record);
    if (isFresh) this.#fresh.add(record);
    if (this.#records.length >= this.#perWrite) await this.flush();
  }

  async flush(): Promise<void> {
    const [records, fresh] = [this.#records, this.#fresh];
    this.#records = [];
    this.#fresh = new Set();
    if (records.length > 0) await this.#store(records, fresh);
  }
}
