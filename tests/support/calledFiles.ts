import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../');

/** Where the files of a bundle begin in it, by the line that esbuild puts before each. */
type Bundle = readonly { readonly at: number; readonly file: string }[];

interface Called {
  readonly startOffset: number;
  readonly count: number;
}

/** Tells which files of the product have a function that was called, by the coverage of the engine itself. */
export class CalledFiles {
  readonly #session = new Session();
  readonly #bundles = new Map<string, Bundle>();

  static async start(): Promise<CalledFiles> {
    const called = new CalledFiles();
    called.#session.connect();
    await called.#session.post('Profiler.enable');
    await called.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return called;
  }

  /** Tells the files of a bundle by their own names from now on. */
  know(bundle: string): void {
    const lines = readFileSync(bundle, 'utf8').matchAll(/^\/\/ (\S+\.\w+)$/gm);
    this.#bundles.set(
      bundle,
      [...lines].map(({ index: at, 1: file = '' }) => ({ at, file })),
    );
  }

  /** The files since the last time. A module that is only loaded has run no function but the one that is all of it. */
  async take(): Promise<ReadonlySet<string>> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const files = result.flatMap(({ url, functions }) => {
      const called = functions.flatMap(({ ranges }) => ranges.slice(0, 1)).filter(isCalled);
      return called.length === 0 ? [] : this.#filesOf(url.replace(/^file:\/\//, ''), called);
    });
    return new Set(files.filter((file) => /^(?:shared|functions|console)\//.test(file)));
  }

  async stop(): Promise<void> {
    await this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }

  #filesOf(path: string, called: readonly Called[]): readonly string[] {
    const bundle = this.#bundles.get(path);
    if (bundle !== undefined)
      return called.map(({ startOffset }) => bundle.findLast(({ at }) => at < startOffset)?.file ?? '');
    return path.startsWith(root) ? [path.slice(root.length)] : [];
  }
}

const isCalled = ({ startOffset, count }: Called): boolean => startOffset > 0 && count > 0;
