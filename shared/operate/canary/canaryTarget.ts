import type { CanarySetting } from './canarySettings.js';

/** The service under test and the callers it is tested as. A check that lacks a member is skipped by name. */
export interface CanaryTarget extends Omit<CanarySetting, 'url'> {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** A bearer token of a registered tenant. */
  readonly getToken?: () => Promise<string>;
  /** A key of a customer that exists only for the canary. */
  readonly apiKey?: string;
}

/** The result of one check. */
export interface CanaryResult {
  readonly check: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** What the check saw, why it failed, or which members it lacks. */
  readonly detail: string;
  readonly durationMs: number;
}
