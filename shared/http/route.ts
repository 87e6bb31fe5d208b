import type { Static, TSchema } from 'typebox';
import type { OperatorRole, Role, TenantRole } from '../access/auth/roles.js';
import type { Fault, FaultDetail } from '../kit/errors/fault.js';
import type { ErrorShape } from '../kit/errors/wire.js';
import type { RateName } from '../access/rates/rates.js';
import type { HeaderName } from './answers/openApiAnswers.js';
import type { PartRule } from './request/partReader.js';
import type { Answer } from '../kit/answer/answer.js';

/**
 * Who may call: a tenant by bearer token (areas A, B), a customer by key (area C), either of them, whoever operates the
 * service by a token of its own tenant, or anybody.
 */
export type Caller = 'jwt' | 'apiKey' | 'either' | 'operator' | 'nobody';

/** An operation that takes a token says which role the token must carry. */
type RoleFor<C extends Caller> = C extends 'jwt' | 'either'
  ? { readonly role: TenantRole }
  : C extends 'operator'
    ? { readonly role: OperatorRole }
    : { readonly role?: never };

interface Identities {
  readonly jwt: {
    readonly tenant: string;
    /** Who calls, in the directory of the tenant. */ readonly objectId: string;
  };
  readonly apiKey: { readonly customer: string };
  readonly either: { readonly tenant?: string; readonly customer?: string };
  readonly operator: {
    /** Object id in the directory of the service's own tenant. */ readonly operator: string;
    readonly roles: readonly OperatorRole[];
  };
  readonly nobody: object;
}

export interface ReceivedFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** What an operation gets to see of a request: declared and checked things only. */
export type RouteRequest<C extends Caller, B extends TSchema, Q extends TSchema> = Identities[C] & {
  readonly method: string;
  readonly body: Static<B>;
  /** The bytes of each part of an upload, by name; empty for a route that takes none. */
  readonly parts: Readonly<Record<string, Uint8Array>>;
  /** The body of a route that takes a file, with its content type. */
  readonly file: ReceivedFile | undefined;
  /** Route parameters, under their declared names. */
  readonly params: Readonly<Record<string, string>>;
  /** Declared query parameters, converted and checked; a parameter that is absent is undefined. */
  readonly query: Static<Q>;
  readonly accept: string;
  /** Preconditions of a write. */
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** Where callers reach the service, for absolute links: no trailing slash. */
  readonly origin: string;
  /** By which a repetition of the request is known, where the route takes one and the caller has sent one. */
  readonly idempotencyKey: string | undefined;
};

/** A JSON body: its form, the fault for a wrong one, and the rules that a schema can't say. */
export interface RouteBody<B extends TSchema> {
  readonly schema: B;
  /** A merge patch (RFC 7396), or plain JSON when absent. */
  readonly type?: 'mergePatch';
  /** Most bytes; 64 KB when absent. */
  readonly maxBytes?: number;
  /** Whether a number may be an id: one that a double would round is then the text of its digits. */
  readonly keepsDigits?: boolean;
  /** A member that may be large: the operation gets it as its JSON, in bytes, and checks it. */
  readonly apart?: string;
  readonly invalid: Fault;
  /** Checks of values against each other or against today; must cope with a body that breaks the schema. */
  readonly rules?: (body: unknown, now: Date) => readonly FaultDetail[];
  readonly example: Static<B>;
}

/** Content types of a JSON body that are taken; the first is the documented one. */
export const contentTypesOf = ({ type }: Pick<RouteBody<TSchema>, 'type'>): readonly [string, ...string[]] =>
  type === 'mergePatch' ? ['application/merge-patch+json', 'application/json'] : ['application/json'];

/** A kind of file, for the OpenAPI document. */
export interface FileKind {
  readonly description: string;
  /** The beginning of one, or the name of one that is no text. */
  readonly example: string;
}

/** A body that is one file. */
export interface RouteFile {
  /** Content types taken, with what each is. */
  readonly types: Readonly<Record<string, FileKind>>;
  readonly maxBytes: number;
}

/** One part of an upload, as it is checked and as the OpenAPI document shows it. */
export interface UploadPart extends PartRule {
  readonly schema: TSchema;
  readonly example: unknown;
}

export interface AnswerContent {
  readonly schema: TSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

/** What the operation answers when all goes well, for the OpenAPI document. */
export interface RouteSuccess {
  readonly status: number;
  readonly description: string;
  /** Schema and example by content type; examples by name where there is more than one form. */
  readonly content: Readonly<Record<string, AnswerContent>>;
  /** Other statuses with a body of the same form, with their meaning. */
  readonly alsoAt?: Readonly<Record<number, string>>;
  /**
   * Answers of another form, which a caller gets who asks for them. The document has them apart from the `responses`:
   * client generators take one success for the only one, and would refuse the usual answer.
   */
  readonly onRequest?: Readonly<Record<number, Pick<RouteSuccess, 'description' | 'content'>>>;
  /** Headers besides those of every answer. */
  readonly headers?: readonly HeaderName[];
}

/** @typeParam S the services that its operation is handed */
export interface RouteDefinition<C extends Caller, B extends TSchema, Q extends TSchema, S> {
  /** Function name: the host tries routes in the order of these names, so a literal route must sort before a parameter. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Route template without a leading slash; parameters in braces. */
  readonly path: string;
  readonly caller: C;
  /** The weakest role that may call; of every operation that takes a token, and of no other. */
  readonly role?: Role;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly errors: ErrorShape;
  readonly body?: RouteBody<B>;
  /** Whether an `Idempotency-Key` is taken; the operation sees to it. */
  readonly isIdempotent?: true;
  /** `Cache-Control` of a 200, which gets an `ETag` then; without it nobody keeps an answer. */
  readonly cache?: string;
  /** Parts of a multipart body, all required; instead of `body`. */
  readonly upload?: Readonly<Record<string, UploadPart>>;
  /** A body of bytes; instead of `body`. It reaches the operation as `file`. */
  readonly file?: RouteFile;
  /** An object of the query parameters taken; others are refused. Without it all are ignored. */
  readonly query?: Q;
  /** The fault for a query that breaks a rule, that of the area when absent. */
  readonly queryFault?: Fault;
  /** Checked before the caller is known. @throws ServiceError */
  readonly checkQuery?: (query: URLSearchParams) => void;
  /** Headers of every answer, errors too. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Meaning of each route parameter. */
  readonly params?: Readonly<Record<string, string>>;
  readonly success: RouteSuccess;
  /** Faults of the catalogue that this very operation can answer, besides those every route shares. */
  readonly faults: readonly Fault[];
  /** The rate that calls count against; by default that of creates for a 202, else that of reads. */
  readonly rate?: RateName;
  readonly handle: (request: RouteRequest<C, B, Q>, services: S) => Promise<Answer>;
}

/** A route as the table of functions lists it; without its services for whoever only reads what it declares. */
export type Route<S = never> = RouteDefinition<Caller, TSchema, TSchema, S>;

/** The methods that a route answers: whatever can be read can be asked for its headers alone. */
export const methodsOf = ({ method }: Pick<Route, 'method'>): readonly string[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method];

/**
 * Declares one HTTP operation over services S. The same declaration registers the function, checks the request and makes the
 * OpenAPI document, so that an undocumented operation cannot exist.
 */
export const routeFor =
  <S>() =>
  <C extends Caller, B extends TSchema, Q extends TSchema>(
    definition: RouteDefinition<C, B, Q, S> & RoleFor<C>,
  ): Route<S> =>
    // The wrapper hands in the identity that `caller` asks for and a body that satisfies `schema`.
    definition as unknown as Route<S>;
