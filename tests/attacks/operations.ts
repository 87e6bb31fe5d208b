import { randomUUID } from 'node:crypto';
import { functionTable } from '../../functions/functionTable.js';
import type { Route } from '../../shared/http/route.js';
import { aCollection, aFeature, aSubmittedRequest } from '../enrollments/builders.js';
import { multipartBody, multipartType, submissionParts } from '../support/multipart.js';
import { OPERATOR_TENANT } from '../../infra/local/standIns/tenants.js';
import { gddParameters, newJobId, service, tokenOf } from '../contract/service.js';

/** A request of one operation that would succeed with the right credential, or find nothing under its made-up id. */
export interface SampleRequest {
  readonly route: Route;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Everything that stands where a route has a parameter or a job id. */
interface Names {
  readonly jobId?: string;
  readonly id?: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const PATCH_TYPE = { 'content-type': 'application/merge-patch+json' };

/** The routes that want a credential of a tenant or a customer. */
export const guardedRoutes = functionTable.routes.filter(({ caller }) => caller === 'jwt' || caller === 'apiKey');

/** The routes of those who run the service. */
export const operatorRoutes = functionTable.routes.filter(({ caller }) => caller === 'operator');

/** The credential an operation asks for, of the demo tenant or the demo customer. */
export function credentialOf({ caller }: Pick<Route, 'caller'>): Record<string, string> {
  if (caller === 'nobody') return {};
  if (caller === 'operator') return { authorization: `Bearer ${tokenOf(OPERATOR_TENANT, '--roles', 'Operate')}` };
  return caller === 'jwt' ? { authorization: `Bearer ${service.jwt}` } : { 'api-key': service.apiKey };
}

/** A request of the route without a credential. */
export function sampleOf(route: Route, names: Names = {}): SampleRequest {
  const path = route.path.replaceAll(/\{([^}]+)\}/g, (_place, name) =>
    name === 'resourceType' ? 'Field' : (names.id ?? randomUUID()),
  );
  const common = { route, method: route.method, path: `/${path}${queryOf(route)}` };
  if (route.upload !== undefined) {
    const parts = submissionParts(
      JSON.stringify(aSubmittedRequest()),
      JSON.stringify(aCollection([aFeature({ fieldId: `field-${randomUUID()}` })])),
    );
    return { ...common, headers: { 'content-type': multipartType() }, body: new Uint8Array(multipartBody(parts)) };
  }
  if (route.file !== undefined) {
    const [type = ''] = Object.keys(route.file.types);
    return { ...common, headers: { 'content-type': type }, body: JSON.stringify(aCollection([])) };
  }
  if (route.body === undefined) return { ...common, headers: {} };
  const headers = route.body.type === 'mergePatch' ? PATCH_TYPE : JSON_TYPE;
  return { ...common, headers, body: JSON.stringify(bodyOf(route, names.jobId ?? newJobId())) };
}

/** The query parameters that the route must have. */
function queryOf({ query }: Route): string {
  const { required = [] } = (query ?? {}) as { readonly required?: readonly string[] };
  const values = required.map((name): [string, string] => [
    name,
    name === 'api-version' ? '2023-11-01-preview' : randomUUID(),
  ]);
  return values.length === 0 ? '' : `?${new URLSearchParams(values).toString()}`;
}

/** The JSON body of such a request. */
export function bodyOf({ path, body }: Route, jobId: string): object {
  const example = body?.example as { readonly requestPath?: string };
  if (example.requestPath === undefined) return example;
  const requestPath = example.requestPath.replace(/[^/]+$/, jobId);
  // A create of a boundary job stays with the example's made-up farm: it ends early.
  return path.endsWith('gdd:create')
    ? { requestPath, partnerRequestBody: gddParameters() }
    : { ...example, requestPath };
}
