import { standsAbove, type FieldDate } from '../../shared/enrollments/fields/fieldDate.js';
import type { ImageryStore, LayerToStore, StoredDocument } from '../../shared/imagery/documents/blobImageryStore.js';
import type { FieldDatePlace } from '../../shared/imagery/records/imageryPaths.js';
import type { FieldDateStore, MergeOptions, Settle } from '../../shared/imagery/records/tableFieldDateStore.js';
import type { Making, MakingStore } from '../../shared/imagery/records/tableMakingStore.js';
import {
  datePath,
  fieldPath,
  INDEX_FILE,
  ITEM_FILE,
  ITEMS_FILE,
  layerFile,
  STATISTICS_FILE,
} from '../../shared/imagery/records/imageryPaths.js';
import type { LayerName } from '../../shared/scenes/layers/layers.js';
const copyOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** What was made when, in memory; the same suite runs against it and against the table. */
export class MemoryMakingStore implements MakingStore {
  readonly rows = new Map<string, Making>();

  put(customer: string, making: Making): void {
    this.rows.set(this.#keyOf(customer, making), making);
  }

  listBefore(customer: string, day: string, most: number): Promise<readonly Making[]> {
    const own = [...this.rows].filter(([key]) => key.startsWith(`${customer}|`)).sort(([a], [b]) => (a < b ? -1 : 1));
    const before = own.map(([, making]) => making).filter(({ madeOn }) => madeOn < day);
    return Promise.resolve(before.slice(0, most));
  }

  remove(customer: string, making: Making): Promise<void> {
    this.rows.delete(this.#keyOf(customer, making));
    return Promise.resolve();
  }

  #keyOf(customer: string, { madeOn, date, fieldIds }: Making): string {
    return `${customer}|${madeOn}|${date}|${JSON.stringify(fieldIds)}`;
  }
}

/** Records by `<customer>|<field>|<date>`, each also found by its field: a test may keep tens of thousands. */
class FieldDateRows extends Map<string, FieldDate> {
  readonly #fields = new Map<string, Map<string, FieldDate>>();

  override set(key: string, row: FieldDate): this {
    const field = fieldIn(key);
    const days = this.#fields.get(field) ?? new Map<string, FieldDate>();
    this.#fields.set(field, days.set(key, row));
    return super.set(key, row);
  }

  override delete(key: string): boolean {
    this.#fields.get(fieldIn(key))?.delete(key);
    return super.delete(key);
  }

  override clear(): void {
    this.#fields.clear();
    super.clear();
  }

  daysOf(customer: string, fieldId: string): readonly FieldDate[] {
    return [...(this.#fields.get(`${customer}|${fieldId}`)?.values() ?? [])];
  }
}

const fieldIn = (key: string): string => key.slice(0, key.lastIndexOf('|'));

/** What became of fields on days, in memory. */
export class MemoryFieldDateStore implements FieldDateStore {
  readonly rows = new FieldDateRows();
  readonly #makings: MemoryMakingStore;

  constructor(makings = new MemoryMakingStore()) {
    this.#makings = makings;
  }

  list(
    customer: string,
    fieldId: string,
    { from, to }: { readonly from: string; readonly to: string } = { from: '0000', to: '9999-99-99' },
  ): Promise<readonly FieldDate[]> {
    const days = this.rows.daysOf(customer, fieldId).filter(({ date }) => date >= from && date <= to);
    return Promise.resolve(days.sort((a, b) => (a.date < b.date ? -1 : 1)));
  }

  merge(
    customer: string,
    fieldDates: readonly FieldDate[],
    settle: Settle,
    { makings = [] }: MergeOptions = {},
  ): Promise<readonly FieldDate[]> {
    for (const making of makings) this.#makings.put(customer, making);
    const merged = fieldDates.map((found) => {
      const key = `${customer}|${found.fieldId}|${found.date}`;
      const stored = settle(found, this.rows.get(key));
      this.rows.set(key, stored);
      return stored;
    });
    return Promise.resolve(merged);
  }
}

/** Customers' files in memory, by their path. */
export class MemoryImageryStore implements ImageryStore {
  readonly files = new Map<string, Uint8Array>();
  readonly documents = new Map<string, StoredDocument>();
  /** Every write in order, by path: what a crash would have left. */
  readonly writes: string[] = [];
  readonly #marks = new Map<string, { readonly standing: string; readonly sha256: string }>();
  /** When each path was written last, milliseconds. */
  readonly #writtenAt = new Map<string, number>();
  readonly #now: () => number;
  #etag = 0;

  constructor(now: () => number = () => 0) {
    this.#now = now;
  }

  putLayer(place: FieldDatePlace, { layer, bytes, sha256 }: LayerToStore, standing: string): Promise<boolean> {
    const path = `${datePath(place)}/${layerFile(layer)}`;
    const mark = this.#marks.get(path);
    if (standsAbove(mark?.standing ?? '', standing)) return Promise.resolve(false);
    if (mark?.sha256 === sha256 && mark.standing === standing && this.files.has(path)) return Promise.resolve(true);
    this.files.set(path, bytes);
    this.#marks.set(path, { standing, sha256 });
    this.#wrote(path);
    return Promise.resolve(true);
  }

  removeLayer(place: FieldDatePlace, layer: LayerName, standing: string): Promise<void> {
    const path = `${datePath(place)}/${layerFile(layer)}`;
    if (standsAbove(this.#marks.get(path)?.standing ?? '', standing)) return Promise.resolve();
    this.files.delete(path);
    this.#marks.delete(path);
    return Promise.resolve();
  }

  findLayer(place: FieldDatePlace, layer: LayerName): Promise<string | undefined> {
    const path = `${datePath(place)}/${layerFile(layer)}`;
    return Promise.resolve(this.files.has(path) ? this.#marks.get(path)?.sha256 : undefined);
  }

  listFiles(customer: string, fieldId: string): Promise<ReadonlySet<string>> {
    const prefix = `${fieldPath(customer, fieldId)}/`;
    const paths = [...this.files.keys(), ...this.documents.keys()].filter((path) => path.startsWith(prefix));
    return Promise.resolve(new Set(paths.map((path) => path.slice(prefix.length))));
  }

  findItem(place: FieldDatePlace): Promise<StoredDocument | undefined> {
    return Promise.resolve(this.documents.get(`${datePath(place)}/${ITEM_FILE}`));
  }

  putItem(place: FieldDatePlace, document: unknown, etag: string | undefined): Promise<boolean> {
    return this.#put(`${datePath(place)}/${ITEM_FILE}`, document, etag).then((mark) => mark !== undefined);
  }

  readIndex(customer: string, fieldId: string): Promise<StoredDocument | undefined> {
    return Promise.resolve(this.documents.get(`${fieldPath(customer, fieldId)}/${INDEX_FILE}`));
  }

  putIndex(
    { customer, fieldId }: { readonly customer: string; readonly fieldId: string },
    document: unknown,
    etag: string | undefined,
  ): Promise<string | undefined> {
    return this.#put(`${fieldPath(customer, fieldId)}/${INDEX_FILE}`, document, etag);
  }

  readItems(customer: string, fieldId: string): Promise<StoredDocument | undefined> {
    return Promise.resolve(this.documents.get(`${fieldPath(customer, fieldId)}/${ITEMS_FILE}`));
  }

  putItems(
    { customer, fieldId }: { readonly customer: string; readonly fieldId: string },
    document: unknown,
    etag: string | undefined,
  ): Promise<string | undefined> {
    return this.#put(`${fieldPath(customer, fieldId)}/${ITEMS_FILE}`, document, etag);
  }

  findStatistics(customer: string, fieldId: string): Promise<string | undefined> {
    return Promise.resolve(this.documents.get(`${fieldPath(customer, fieldId)}/${STATISTICS_FILE}`)?.etag);
  }

  putStatistics(
    { customer, fieldId }: { readonly customer: string; readonly fieldId: string },
    csv: string,
    etag: string | undefined,
  ): Promise<string | undefined> {
    return this.#put(`${fieldPath(customer, fieldId)}/${STATISTICS_FILE}`, csv, etag);
  }

  #put(path: string, document: unknown, etag: string | undefined): Promise<string | undefined> {
    if (this.documents.get(path)?.etag !== etag) return Promise.resolve(undefined);
    this.#etag += 1;
    this.documents.set(path, { document: copyOf(document), etag: String(this.#etag) });
    this.#wrote(path);
    return Promise.resolve(String(this.#etag));
  }

  removeDay(place: FieldDatePlace, writtenBefore: Date): Promise<void> {
    const folder = `${datePath(place)}/`;
    this.#removeWhere((path) => path.startsWith(folder) && this.#writtenAtOf(path) < writtenBefore.getTime());
    return Promise.resolve();
  }

  /** What the account's lifecycle rule does. */
  removeWrittenBefore(instant: number): void {
    this.#removeWhere((path) => this.#writtenAtOf(path) < instant);
  }

  #removeWhere(isToGo: (path: string) => boolean): void {
    for (const path of [...this.files.keys(), ...this.documents.keys()].filter(isToGo)) {
      this.files.delete(path);
      this.documents.delete(path);
      this.#marks.delete(path);
    }
  }

  #writtenAtOf(path: string): number {
    return this.#writtenAt.get(path) ?? 0;
  }

  #wrote(path: string): void {
    this.writes.push(path);
    this.#writtenAt.set(path, this.#now());
  }
}
