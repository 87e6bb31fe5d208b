import type { TableName } from '../../storage/names.js';

/** Kinds of files that go with the tables. */
export const fileParts = ['files-geometries', 'files-shapes'] as const;
export type FilePart = (typeof fileParts)[number];

/** What an export is made of: lines of JSON each. */
export type ArchivePart = TableName | FilePart;

/** The contents of an export; written last, so that an export without it was cut off. */
export interface BackupManifest {
  readonly exportedAt: string;
  /** Rows by table. */
  readonly rows: Readonly<Partial<Record<TableName, number>>>;
  /** Files by kind; absent in exports of before there were any. */
  readonly files?: Readonly<Partial<Record<FilePart, number>>>;
}

/** The name of an export of the service: the minute at which it begins, as `2026-11-23T0210`. */
export const backupNameAt = (instant: Date): string => instant.toISOString().slice(0, 16).replaceAll(':', '');
/** The name of one that somebody asks for: with seconds, for the night's own may begin in the same minute. */
export const askedBackupNameAt = (instant: Date): string => instant.toISOString().slice(0, 19).replaceAll(':', '');

/** The storage of one export, which is written once. */
export interface BackupArchive {
  /** Its address, for people. */
  readonly place: string;
  write(part: ArchivePart, lines: AsyncIterable<string>): Promise<void>;
  read(part: ArchivePart): AsyncIterable<string>;
  finish(manifest: BackupManifest): Promise<void>;
  /** Undefined when there is no finished export. */
  manifest(): Promise<BackupManifest | undefined>;
}
