export declare class ProgramError extends Error {
  constructor(command: string, said: string);
  readonly said: string;
}
export interface Ports {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Runs a program to its end. @returns what it printed @throws ProgramError */
  readonly run: (program: string, args: readonly string[], env?: Readonly<Record<string, string>>) => string;
  readonly fetch: (address: string, init?: RequestInit) => Promise<Response>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** Says what has to be read even where the output is taken as lines for the shell. */
  readonly warn: (line: string) => void;
}
