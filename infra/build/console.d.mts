/** Builds the pages unless they are there. */
export function buildConsole(): Promise<void>;
/** The names of the files that dist/console holds, for the package. */
export function consoleFiles(): string[];
