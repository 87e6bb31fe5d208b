export declare function variablesRead(size: string): readonly string[];
