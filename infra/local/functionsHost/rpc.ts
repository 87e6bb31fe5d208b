/** The messages between a functions host and `@azure/functions`, as far as this host uses them. */

export type LogLevel = 'trace' | 'debug' | 'information' | 'warning' | 'error' | 'critical';

/** One value on its way in or out; exactly one property is set. */
export interface TypedData {
  readonly string?: string;
  readonly json?: string;
  readonly bytes?: Uint8Array;
  readonly int?: number;
  readonly double?: number;
  readonly http?: HttpData;
}

interface NullableString {
  readonly value: string;
}

/** A request (url, method, nullable maps, body) or a response (statusCode, headers, cookies, body). */
export interface HttpData {
  readonly url?: string;
  readonly method?: string;
  readonly nullableHeaders?: Readonly<Record<string, NullableString>>;
  readonly nullableQuery?: Readonly<Record<string, NullableString>>;
  readonly nullableParams?: Readonly<Record<string, NullableString>>;
  readonly body?: TypedData | null;
  readonly statusCode?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly Cookie[];
}

/** A cookie as the library encodes it: absent parts are absent or hold an empty wrapper. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain?: NullableString | null;
  readonly path?: NullableString | null;
  readonly expires?: { readonly value: { readonly seconds: number } } | null;
  readonly secure?: { readonly value: boolean } | null;
  readonly httpOnly?: { readonly value: boolean } | null;
  readonly sameSite?: 'none' | 'lax' | 'strict' | 'explicitNone';
  readonly maxAge?: { readonly value: number } | null;
}

/** One binding of a function: its own settings stand beside `type` and `direction`. */
export interface Binding {
  readonly type: string;
  readonly direction: 'in' | 'out';
  readonly [setting: string]: unknown;
}

/** What starts one run of a function. */
export interface InvocationRequest {
  readonly invocationId: string;
  readonly functionId: string;
  readonly inputData: readonly { readonly name: string; readonly data: TypedData }[];
  readonly triggerMetadata: Readonly<Record<string, TypedData>>;
  readonly traceContext: {
    readonly traceParent: string;
    readonly traceState: string;
    readonly attributes: Readonly<Record<string, string>>;
  };
}

/** What one run of a function gives back. */
export interface InvocationResponse {
  readonly returnValue?: TypedData | null;
  readonly outputData?: readonly { readonly name: string; readonly data: TypedData }[];
}

/** The host's side of one run, as the library's invocation model reads it. */
export interface CoreContext {
  readonly invocationId: string;
  readonly metadata: { readonly name: string; readonly bindings: Readonly<Record<string, Binding>> };
  readonly request: InvocationRequest;
  state: 'preInvocationHooks' | 'invocation' | 'postInvocationHooks' | undefined;
  log(level: LogLevel, category: string, message: string): void;
}

export type FunctionCallback = (...inputs: unknown[]) => unknown;

/** The library's side of one run. */
export interface InvocationModel {
  getArguments(): Promise<{ context: unknown; inputs: unknown[] }>;
  invokeFunction(context: unknown, inputs: unknown[], callback: FunctionCallback): Promise<unknown>;
  getResponse(context: unknown, result: unknown): Promise<InvocationResponse>;
}

/** What the library hands to the host when the first function is registered. */
export interface ProgrammingModel {
  readonly name: string;
  getInvocationModel(core: CoreContext): InvocationModel;
  getCapabilities(capabilities: Record<string, string>): Promise<Record<string, string>>;
}
