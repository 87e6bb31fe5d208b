import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../atomicFile.js';

/** A resource as it is shown, without links. */
export type Resource = Readonly<Record<string, unknown>>;

/**
 * The resources by their path (`parties/P/fields/F`) and the files that belong to some of them. With a directory each
 * lies in a file of its own, written as a whole before the call returns; without one all is in memory.
 */
export class ResourceStore {
  readonly #directory: string | undefined;
  readonly #resources = new Map<string, Resource>();
  readonly #files = new Map<string, Uint8Array>();

  constructor(directory?: string) {
    this.#directory = directory;
    if (directory === undefined) return;
    mkdirSync(directory, { recursive: true });
    for (const file of readdirSync(directory).filter((name) => name.endsWith('.json'))) {
      const { path, resource } = JSON.parse(readFileSync(join(directory, file), 'utf8')) as Stored;
      this.#resources.set(path, resource);
    }
  }

  find(path: string): Resource | undefined {
    return this.#resources.get(path);
  }

  /** The resources directly under a path, in no particular order. */
  list(parent: string): readonly Resource[] {
    const prefix = `${parent}/`;
    return [...this.#resources]
      .filter(([path]) => path.startsWith(prefix) && !path.includes('/', prefix.length))
      .map(([, resource]) => resource);
  }

  put(path: string, resource: Resource): void {
    if (this.#directory !== undefined) writeAtomically(this.#file(path, 'json'), JSON.stringify({ path, resource }));
    this.#resources.set(path, resource);
  }

  /** Removes a resource with its file. */
  remove(path: string): void {
    this.#resources.delete(path);
    this.#files.delete(path);
    if (this.#directory === undefined) return;
    for (const extension of ['json', 'bin']) rmSync(this.#file(path, extension), { force: true });
  }

  findFile(path: string): Uint8Array | undefined {
    if (this.#directory === undefined) return this.#files.get(path);
    const file = this.#file(path, 'bin');
    return existsSync(file) ? readFileSync(file) : undefined;
  }

  putFile(path: string, content: Uint8Array): void {
    if (this.#directory === undefined) this.#files.set(path, content);
    else writeAtomically(this.#file(path, 'bin'), content);
  }

  clear(): void {
    this.#resources.clear();
    this.#files.clear();
    if (this.#directory === undefined) return;
    rmSync(this.#directory, { recursive: true, force: true });
    mkdirSync(this.#directory, { recursive: true });
  }

  /** A name that any file system takes, whatever the path holds. */
  #file(path: string, extension: string): string {
    return join(this.#directory ?? '', `${createHash('sha256').update(path).digest('hex')}.${extension}`);
  }
}

interface Stored {
  readonly path: string;
  readonly resource: Resource;
}
