/** Which service the canary asks, and as whom. What is absent is left out by name, not taken as good. */
export interface CanaryTarget {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** A bearer token of a registered tenant. */
  readonly getToken?: () => Promise<string>;
  /** A key of a customer that is there for this alone. */
  readonly apiKey?: string;
  /** A party, a field and a farm of the tenant's data manager. */
  readonly partyId?: string;
  readonly fieldId?: string;
  readonly farmId?: string;
  /** Longitude and latitude in a field: the data manager has scenes of it, and so has the catalogue. */
  readonly point?: readonly [number, number];
  /** Blob service of the imagery account when it is not `https://<account>.blob.core.windows.net`. */
  readonly blobEndpoint?: string;
}

/** What one check has seen. */
export interface CanaryResult {
  readonly check: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** What was seen, why it failed, or what would have to be there. */
  readonly detail: string;
  readonly durationMs: number;
}
