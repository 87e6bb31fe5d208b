import { type Exchange, jsonReply, type Reply } from '../http/exchange.js';
import type { ItemSource } from './itemSource.js';

/**
 * Items that the catalogue has taken out, as real ones do when a scene was made wrongly: by code or over HTTP,
 * `POST /.control/withdrawn` with a JSON list of their ids. Their files stay.
 */
export class WithdrawnItems {
  #ids: ReadonlySet<string> = new Set();

  /** Takes these out and no others. */
  set(ids: readonly string[]): void {
    this.#ids = new Set(ids);
  }

  /** Answers a control request. */
  control({ body }: Exchange): Reply {
    const ids = listIn(body);
    if (ids === undefined) return jsonReply(400, { message: 'Send a list of ids.' });
    this.set(ids);
    return { status: 204 };
  }

  /** The source without what is taken out. */
  within(source: ItemSource): ItemSource {
    return {
      find: (filter, origin) => source.find(filter, origin).filter(({ id }) => !this.#ids.has(id)),
      item: (collection, id, origin) => (this.#ids.has(id) ? undefined : source.item(collection, id, origin)),
      file: (path) => source.file(path),
    };
  }
}

function listIn(body: Buffer): string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return Array.isArray(parsed) && parsed.every((id) => typeof id === 'string') ? parsed : undefined;
  } catch {
    return undefined; // the caller is told what a list looks like
  }
}
