/** The oldest that is supported, the one of production, the next. */
export const nodeVersions: readonly string[];
