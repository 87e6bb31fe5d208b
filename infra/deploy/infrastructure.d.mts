export declare function variablesRead(size: string): readonly string[];
export declare function changesIn(whatIf: { readonly changes: readonly object[] }): readonly string[];
