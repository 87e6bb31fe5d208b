import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { coverOf } from '../../../../shared/scenes/place/footprint.js';
import { isJsonObject } from '../http/exchange.js';
import type { RangedFile } from './byteRange.js';
import type { ItemFilter, ItemSource } from './itemSource.js';
import { COLLECTION_0, type ItemDocument } from './sceneItems.js';

/** An item of the folder, its file beside it. */
interface FolderItem {
  readonly document: ItemDocument;
  /** Folder of the item's own file, absolute. */
  readonly directory: string;
}

/** An item that doesn't tell when it was put in was when its file was written. */
function readItem(path: string, writtenAt: Date): FolderItem | undefined {
  const document: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!isJsonObject(document) || document['type'] !== 'Feature' || !isJsonObject(document['properties']))
    return undefined;
  const collection = typeof document['collection'] === 'string' ? document['collection'] : COLLECTION_0;
  const properties = { updated: writtenAt.toISOString(), ...document['properties'] };
  return { document: { ...document, collection, properties } as unknown as ItemDocument, directory: dirname(path) };
}

/**
 * STAC items (`*.json`, at any depth) with the files that their relative hrefs name, as a catalogue of their own. The
 * folder is looked at for each search, so that a scene can come late.
 */
export class FolderSource implements ItemSource {
  readonly #root: string;
  readonly #read = new Map<string, { readonly changedMs: number; readonly item: FolderItem | undefined }>();

  /** @throws Error when there is no such folder, or a file in it is no JSON */
  constructor(folder: string) {
    this.#root = resolve(folder);
    this.#items();
  }

  find({ box, from, to, collections }: ItemFilter, origin: string): readonly ItemDocument[] {
    return this.#items()
      .filter(({ document: { geometry, properties, collection } }) => {
        const takenAt = Date.parse(properties.datetime);
        const isMet = coverOf(geometry as Parameters<typeof coverOf>[0], box) !== 'none';
        return isMet && takenAt >= from && takenAt <= to && collections.includes(collection);
      })
      .map((item) => this.#served(item, origin));
  }

  item(collection: string, id: string, origin: string): ItemDocument | undefined {
    const found = this.#items().find(({ document }) => document.id === id && document.collection === collection);
    return found && this.#served(found, origin);
  }

  file(path: string): RangedFile | undefined {
    const file = resolve(this.#root, path);
    const stat = file.startsWith(this.#root + sep) ? statSync(file, { throwIfNoEntry: false }) : undefined;
    if (stat?.isFile() !== true) return undefined;
    return {
      size: stat.size,
      version: `${path}:${stat.mtimeMs}`,
      read: (first, last) => {
        const bytes = Buffer.alloc(last - first + 1);
        const descriptor = openSync(file, 'r');
        readSync(descriptor, bytes, 0, bytes.length, first);
        closeSync(descriptor);
        return Promise.resolve(bytes);
      },
    };
  }

  #items(): readonly FolderItem[] {
    const names = readdirSync(this.#root, { recursive: true, encoding: 'utf8' });
    const items = names.filter((name) => name.endsWith('.json')).sort();
    return items.flatMap((name) => this.#itemIn(join(this.#root, name)) ?? []);
  }

  #itemIn(path: string): FolderItem | undefined {
    const { mtimeMs: changedMs, mtime } = statSync(path);
    const known = this.#read.get(path);
    if (known?.changedMs === changedMs) return known.item;
    const item = readItem(path, mtime);
    this.#read.set(path, { changedMs, item });
    return item;
  }

  /** The item with its relative hrefs made absolute. */
  #served({ document, directory }: FolderItem, origin: string): ItemDocument {
    const assets = Object.entries(isJsonObject(document['assets']) ? document['assets'] : {}).map(([key, asset]) => {
      if (!isJsonObject(asset) || typeof asset['href'] !== 'string' || URL.canParse(asset['href'])) return [key, asset];
      const path = relative(this.#root, resolve(directory, asset['href'])).split(sep);
      return [key, { ...asset, href: `${origin}/files/${path.map(encodeURIComponent).join('/')}` }];
    });
    return { ...document, assets: Object.fromEntries(assets) as object };
  }
}
