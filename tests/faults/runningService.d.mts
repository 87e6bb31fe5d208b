/** Types of runningService.mjs for the tests in TypeScript. */
export interface RunningService {
  readonly service: {
    readonly baseUrl: string;
    readonly jwt: string;
    readonly apiKey: string;
    readonly customer: string;
    readonly blobEndpoint: string;
    readonly caFile: string;
    readonly dataManagerUrl: string;
    readonly partyId: string;
    readonly farmId: string;
    readonly pointOnSurface: { readonly longitude: number; readonly latitude: number };
    readonly fieldIds: readonly string[];
  };
  readonly settings: Readonly<Record<string, string>>;
  /** LOCAL_DIR. */
  readonly directory: string;
  readonly log: readonly string[];
  killHost(): boolean;
  stop(): Promise<void>;
}
/** A change of a source on its way through the bundler. */
export interface SourceChange {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}
export function appWith(changes: readonly SourceChange[]): Promise<string>;
export function appWithout(protection?: string): Promise<string>;
export function startService(options: {
  readonly directory?: string;
  readonly app: string;
  readonly environment?: Readonly<Record<string, string>>;
}): Promise<RunningService>;
