import type { Log } from '../../kit/telemetry/telemetry.js';
import type { CanaryPorts } from './canaryCaller.js';
import type { CanarySetting } from './canarySettings.js';
import type { CanaryTarget } from './canaryTarget.js';
import { checkService } from './checkService.js';

/** Facts of one round for its log line. */
export interface CanaryRound {
  /** 0 when no check failed, or none ran. */
  readonly failedChecks: number;
  readonly passed: readonly string[];
  readonly skipped: readonly string[];
}

interface RunCanaryPorts extends CanaryPorts {
  readonly log: Log;
  /** A token of the identity of this service. */
  readonly getToken: () => Promise<string>;
  /** Whether no work begins just now. */
  readonly isDrained: () => Promise<boolean>;
}

/** Runs every check and logs each failure, but for those into which a drain came. Without a setting it runs none. */
export const runCanary =
  ({ log, getToken, isDrained, ...ports }: RunCanaryPorts) =>
  async (setting: CanarySetting | undefined, apiKey: string | undefined): Promise<CanaryRound> => {
    if (setting === undefined) return { failedChecks: 0, passed: [], skipped: ['all'] };
    const { url, ...rest } = setting;
    const target: CanaryTarget = { baseUrl: url, getToken, ...rest, ...(apiKey === undefined ? {} : { apiKey }) };
    const results = await checkService(target, ports);
    const named = (wanted: string): readonly string[] =>
      results.filter(({ outcome }) => outcome === wanted).map(({ check }) => check);
    const [passed, skipped, failed] = [named('passed'), named('skipped'), named('failed')];
    // What a check has asked for waits for the end of the drain.
    if (failed.length > 0 && (await isDrained())) return { failedChecks: 0, passed, skipped: [...skipped, ...failed] };
    for (const { check, outcome, detail, durationMs } of results) {
      if (outcome === 'failed') log('Canary:Failed', { check, detail, durationMs });
    }
    return { failedChecks: failed.length, passed, skipped };
  };
