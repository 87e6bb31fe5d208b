/** A browser that can be run. */
export interface FoundChromium {
  readonly executablePath: string;
  /** Variables it needs beside ours. */
  readonly env: Readonly<Record<string, string>>;
}

export const browserArguments: readonly string[];

/** The browser to run: CHROME_BIN, one on the path, else that of npm. Undefined where none of them runs. */
export function findChromium(
  variables?: { readonly CHROME_BIN?: string | undefined; readonly PATH?: string | undefined },
  machine?: { readonly platform: string; readonly arch: string },
): Promise<FoundChromium | undefined>;

/** What tests are called that no browser can run: skipped by name on somebody's machine, never on CI. */
export function nameWithoutBrowser(name: string, variables?: { readonly CI?: string | undefined }): string;
