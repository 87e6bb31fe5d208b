import { untilAnswered } from '../api/connection.js';
import { noAnswer } from '../api/errors.js';

/** A file of the page is gone: the service has a newer page. */
export class OldPageError extends Error {
  constructor() {
    super('This page is older than the service, which was updated meanwhile. Reload it to go on.');
    this.name = 'OldPageError';
  }
}

/** Names of the files that a part takes beside those that are there from the start; the page names them. */
function filesOf(part: string): readonly string[] {
  const named = document.querySelector<HTMLMetaElement>('meta[name="parts"]')?.content.split(';') ?? [];
  const [, ...files] = named.map((each) => each.trim().split(' ')).find(([name]) => name === part) ?? [];
  if (files.length === 0) throw new Error(`The page has no part ${part}.`);
  return files;
}

/**
 * Reads a file of the page, until it is there.
 *
 * @throws OldPageError
 */
export const pageFile = (address: string): Promise<ArrayBuffer> =>
  untilAnswered(async () => {
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.status === 404) throw new OldPageError();
    const bytes = answer?.ok === true ? await answer.arrayBuffer().catch(() => undefined) : undefined;
    if (bytes === undefined) throw noAnswer();
    return bytes;
  });

const kept = new Map<string, Promise<unknown>>();

function keepFile(address: string): Promise<unknown> {
  const known = kept.get(address);
  if (known !== undefined) return known;
  // The browser has the bytes; here they would stay for as long as the page.
  const read = pageFile(address).then(() => undefined);
  kept.set(address, read);
  read.catch(() => kept.delete(address));
  return read;
}

/** Has the browser keep the files of a part. @throws OldPageError */
export async function keepFiles(part: string): Promise<void> {
  await Promise.all(filesOf(part).map((file) => keepFile(`/console/${file}`)));
}

/**
 * Loads a part of the page that is not there from the start. A browser never asks again for a module that once failed,
 * nor for what that imports, and under another address a module would be there twice: so the files are read first, as
 * often as it takes, and the browser then has what it imports.
 *
 * @param part name of its source, without the ending
 * @throws OldPageError
 */
export async function loadChunk<T>(part: string, load: () => Promise<T>): Promise<T> {
  await keepFiles(part);
  return load();
}
