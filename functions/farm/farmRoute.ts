import { Type, type TObject, type TProperties, type TSchema } from 'typebox';
import type { Answer } from '../../shared/kit/answer/answer.js';
import { farmFaults } from '../../shared/kit/errors/farmFaults.js';
import { ServiceError } from '../../shared/kit/errors/serviceError.js';
import { isLandId } from '../../shared/farm/land/land.js';
import { invalidRequest } from '../../shared/farm/wire/resourceRules.js';
import type { RouteDefinition, RouteRequest } from '../../shared/http/route.js';
import { route, type ServiceRoute } from '../../shared/wiring/declare.js';
import type { Services } from '../../shared/wiring/services.js';

/** Versions of the wire that clients may name; all of them are answered alike. */
export const API_VERSIONS = [
  '2023-11-01-preview',
  '2023-07-01-preview',
  '2023-06-01-preview',
  '2022-11-01-preview',
] as const;

const VERSION_PARAMETER = 'api-version';

type Definition<B extends TSchema, Q extends TProperties> = Omit<
  RouteDefinition<'jwt', B, TObject<Q>, Services>,
  'caller' | 'role' | 'tag' | 'errors' | 'query' | 'rate' | 'handle'
> & {
  readonly role: 'Farm.Read' | 'Farm.ReadWrite';
  readonly query?: TObject<Q>;
  readonly handle: (request: RouteRequest<'jwt', B, TObject<Q>>, services: Services) => Promise<Answer>;
};

/**
 * Declares one operation of the wire on farm data, and holds what is the same for all of them: the version, ids,
 * unknown query parameters, the fault of a wrong request.
 */
export function farmRoute<B extends TSchema, Q extends TProperties>(definition: Definition<B, Q>): ServiceRoute {
  return farmOperation({
    ...definition,
    query: Type.Object({
      [VERSION_PARAMETER]: Type.String({ description: `One of ${API_VERSIONS.join(', ')}; all are answered alike` }),
      ...definition.query?.properties,
    }) as unknown as TObject<Q>,
    checkQuery: requireVersion,
    answerHeaders: { 'api-supported-versions': API_VERSIONS.join(', ') },
    faults: [farmFaults.unsupportedApiVersion, ...definition.faults],
  });
}

/** As `farmRoute`, for an operation of our own beside the wire, which knows no version. */
export function farmOperation<B extends TSchema, Q extends TProperties>(definition: Definition<B, Q>): ServiceRoute {
  return route({
    ...definition,
    caller: 'jwt',
    tag: 'Farm data',
    errors: 'jobs',
    rate: definition.role === 'Farm.Read' ? 'farmRead' : 'farmWrite',
    query: definition.query ?? (Type.Object({}) as TObject<Q>),
    queryFault: farmFaults.invalidRequest,
    faults: [farmFaults.invalidRequest, farmFaults.resourceNotFound, ...definition.faults],
    handle: async (request, services) => {
      for (const [name, id] of Object.entries(request.params)) requireId(name, id);
      return definition.handle(request, services);
    },
  });
}

function requireVersion(query: URLSearchParams): void {
  const versions = query.getAll(VERSION_PARAMETER);
  const [version] = versions;
  if (versions.length === 1 && API_VERSIONS.some((each) => each === version)) return;
  throw new ServiceError(
    farmFaults.unsupportedApiVersion,
    `The query must have ${VERSION_PARAMETER} once: ${API_VERSIONS.join(', ')}.`,
  );
}

/** @throws ServiceError 400 for a segment of the path that no id can be */
export function requireId(name: string, id: string): void {
  if (isLandId(id)) return;
  throw invalidRequest(`${name} must have 1 to 100 letters, digits, dots, hyphens, underscores or tildes.`);
}
