/** Bundles programs that run from the checkout, where node_modules is, into a folder: `<name>.mjs` each. */
export function buildPrograms(folder: string, entryPoints: readonly string[]): Promise<void>;
