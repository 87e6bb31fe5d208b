import type { TableName } from '../storage/names.js';

/** What an export holds; written last, so that one that was cut off is none. */
export interface BackupManifest {
  readonly exportedAt: string;
  /** Rows by table. */
  readonly rows: Readonly<Partial<Record<TableName, number>>>;
}

/** Where one export lies. */
export interface BackupArchive {
  /** Where that is, for people. */
  readonly place: string;
  write(table: TableName, lines: AsyncIterable<string>): Promise<void>;
  read(table: TableName): AsyncIterable<string>;
  finish(manifest: BackupManifest): Promise<void>;
  /** Undefined when there is no export, or none that was finished. */
  manifest(): Promise<BackupManifest | undefined>;
}
