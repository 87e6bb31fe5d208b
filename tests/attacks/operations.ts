import { randomUUID } from 'node:crypto';
import { functionTable } from '../../functions/functionTable.js';
import type { Route } from '../../shared/http/route.js';
import { aCollection, aFeature, aSubmittedRequest } from '../enrollments/builders.js';
import { multipartBody, multipartType, submissionParts } from '../support/multipart.js';
import { gddParameters, newJobId, service } from '../contract/service.js';

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

/** The routes that want a credential. */
export const guardedRoutes = functionTable.routes.filter(({ caller }) => caller !== 'nobody');

/** The credential an operation asks for, of the demo tenant or the demo customer. */
export function credentialOf({ caller }: Pick<Route, 'caller'>): Record<string, string> {
  if (caller === 'nobody') return {};
  return caller === 'jwt' ? { authorization: `Bearer ${service.jwt}` } : { 'api-key': service.apiKey };
}

/** A request of the route without a credential. */
export function sampleOf(route: Route, names: Names = {}): SampleRequest {
  const path = `/${route.path.replaceAll(/\{[^}]+\}/g, names.id ?? randomUUID())}`;
  const common = { route, method: route.method, path };
  if (route.upload !== undefined) {
    const parts = submissionParts(
      JSON.stringify(aSubmittedRequest()),
      JSON.stringify(aCollection([aFeature({ fieldId: `field-${randomUUID()}` })])),
    );
    return { ...common, headers: { 'content-type': multipartType() }, body: new Uint8Array(multipartBody(parts)) };
  }
  if (route.body === undefined) return { ...common, headers: {} };
  return { ...common, headers: JSON_TYPE, body: JSON.stringify(bodyOf(route, names.jobId ?? newJobId())) };
}

/** The JSON body of such a request. */
export function bodyOf({ path, body }: Route, jobId: string): object {
  const example = body?.example as { readonly requestPath: string };
  const requestPath = example.requestPath.replace(/[^/]+$/, jobId);
  // A create of a boundary job stays with the example's made-up farm: it ends early.
  return path.endsWith('gdd:create')
    ? { requestPath, partnerRequestBody: gddParameters() }
    : { ...example, requestPath };
}
