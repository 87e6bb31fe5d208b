import type { BenchService } from '../service.js';

/** The service as a case calls it. */
export type StalledService = BenchService['service'] & {
  readonly apiKey: string;
  /** Connection string of its storage. */
  readonly storage: string;
};

/** Calls of one caller that are large, or made to be dear. */
export interface StallCase {
  readonly name: string;
  /** Stores what the calls need; not measured. */
  readonly prepare?: (service: StalledService) => Promise<void>;
  /** Makes the calls and waits until their work has ended. @returns how they ended, in a few words */
  readonly run: (service: StalledService) => Promise<string>;
}
