import { fetchFile, storageError } from '../api/storage.js';

/** Saves bytes or a text as a file, without an address that holds a secret. */
export function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has its own hold on the bytes by now.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 10_000);
}

/** Saves a text. @param type its media type */
export function saveText(name: string, type: string, text: string): void {
  save(name, new Blob([text], { type }));
}

/** The mark of UTF-8: without it, spreadsheets on Windows read every `ü` as two other letters. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A table for people's spreadsheets, rather than for programs, which take no mark. */
export const tableOf = (csv: string): Blob => new Blob([BYTE_ORDER_MARK, csv], { type: 'text/csv;charset=utf-8' });

/** A file of the customer, whole. @throws ApiError */
export async function readFile(path: string): Promise<Blob> {
  const response = await fetchFile(path);
  if (!response.ok) throw storageError(response);
  return response.blob();
}

/** A name that every system takes as a file's. */
export const fileName = (...parts: readonly string[]): string =>
  parts.map((part) => part.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_').trim()).join(' ');
