import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../');

/** Tells which files of the product have a function that was called, by the coverage of the engine itself. */
export class CalledFiles {
  readonly #session = new Session();

  static async start(): Promise<CalledFiles> {
    const called = new CalledFiles();
    called.#session.connect();
    await called.#session.post('Profiler.enable');
    await called.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return called;
  }

  /** The files since the last time. A module that is only loaded has run no function but the one that is all of it. */
  async take(): Promise<ReadonlySet<string>> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const files = result
      .filter(({ functions }) => functions.some(({ ranges: [range] }) => isCalled(range)))
      .map(({ url }) => url.replace(/^file:\/\//, ''))
      .filter((path) => path.startsWith(root))
      .map((path) => path.slice(root.length));
    return new Set(files.filter((file) => /^(?:shared|functions|console)\//.test(file)));
  }

  async stop(): Promise<void> {
    await this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }
}

const isCalled = (range: { readonly startOffset: number; readonly count: number } | undefined): boolean =>
  range !== undefined && range.startOffset > 0 && range.count > 0;
