import type { FieldDate } from './fieldDate.js';

/** Records written together: what one transaction takes. */
const RECORDS_PER_WRITE = 100;
/** The same in an attempt after one that failed: what was recorded is not done again by the next. */
const RECORDS_PER_REPEATED_WRITE = 20;

/** Stores records, some of which are of days of which nothing was recorded when they were looked at. */
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

  /** @param isFresh whether nothing was recorded of the day when it was looked at */
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
