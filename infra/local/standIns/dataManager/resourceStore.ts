import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { foldedId } from '../../../../shared/kit/ids.js';
import { writeAtomically } from '../atomicFile.js';

/** A resource as it is shown, without links. */
export type Resource = Readonly<Record<string, unknown>>;

/**
 * The resources by their path (`parties/P/fields/F`) and the files that belong to some of them. A path is found in upper
 * and lower case, and keeps the spelling in which it was first written. With a directory each resource lies in a file of
 * its own, written as a whole before the call returns; without one all is in memory.
 */
export class ResourceStore {
  readonly #directory: string | undefined;
  readonly #resources = new Map<string, Stored>();
  readonly #files = new Map<string, Uint8Array>();

  constructor(directory?: string) {
    this.#directory = directory;
    if (directory === undefined) return;
    mkdirSync(directory, { recursive: true });
    for (const file of readdirSync(directory).filter((name) => name.endsWith('.json'))) {
      const stored = JSON.parse(readFileSync(join(directory, file), 'utf8')) as Stored;
      this.#resources.set(foldedId(stored.path), stored);
    }
  }

  find(path: string): Resource | undefined {
    return this.#resources.get(foldedId(path))?.resource;
  }

  /** The resources directly under a path, in no particular order. */
  list(parent: string): readonly Resource[] {
    const prefix = foldedId(`${parent}/`);
    return [...this.#resources]
      .filter(([path]) => path.startsWith(prefix) && !path.includes('/', prefix.length))
      .map(([, { resource }]) => resource);
  }

  put(path: string, resource: Resource): void {
    const stored = { path: this.#spelt(path), resource };
    if (this.#directory !== undefined) writeAtomically(this.#file(path, 'json'), JSON.stringify(stored));
    this.#resources.set(foldedId(path), stored);
  }

  /** Removes a resource with its file. */
  remove(path: string): void {
    const files = ['json', 'bin'].map((extension) => this.#file(path, extension));
    this.#resources.delete(foldedId(path));
    this.#files.delete(foldedId(path));
    if (this.#directory === undefined) return;
    for (const file of files) rmSync(file, { force: true });
  }

  findFile(path: string): Uint8Array | undefined {
    if (this.#directory === undefined) return this.#files.get(foldedId(path));
    const file = this.#file(path, 'bin');
    return existsSync(file) ? readFileSync(file) : undefined;
  }

  putFile(path: string, content: Uint8Array): void {
    if (this.#directory === undefined) this.#files.set(foldedId(path), content);
    else writeAtomically(this.#file(path, 'bin'), content);
  }

  clear(): void {
    this.#resources.clear();
    this.#files.clear();
    if (this.#directory === undefined) return;
    rmSync(this.#directory, { recursive: true, force: true });
    mkdirSync(this.#directory, { recursive: true });
  }

  /** The path as it was first written. */
  #spelt(path: string): string {
    return this.#resources.get(foldedId(path))?.path ?? path;
  }

  /** A name that any file system takes, whatever the path holds. */
  #file(path: string, extension: string): string {
    const name = createHash('sha256').update(this.#spelt(path)).digest('hex');
    return join(this.#directory ?? '', `${name}.${extension}`);
  }
}

interface Stored {
  readonly path: string;
  readonly resource: Resource;
}
