export declare const passing: readonly string[];
export declare function valueOf(values: readonly { name: string; value: unknown }[], variable: string): unknown;
