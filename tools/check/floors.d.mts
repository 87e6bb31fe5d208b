export const floors: readonly (readonly string[])[];
export const inside: Readonly<Record<string, readonly (readonly string[])[]>>;
