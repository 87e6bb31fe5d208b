import type { TSchema } from 'typebox';
import {
  FarmField,
  FarmFieldWrite,
  FarmSchema,
  FarmWrite,
  PartySchema,
  PartyWrite,
} from '../../shared/farm/operations/farmSchemas.js';
import type { LandKey, LandKind } from '../../shared/farm/land/land.js';
import type { RouteRequest } from '../../shared/http/route.js';
import { farmExample, farmWriteExample, fieldExample, fieldWriteExample } from './examples.js';
import { partyExample, partyWriteExample } from './examples.js';

/** What the operations on parties, farms and fields differ by. */
export interface LandRoutes {
  /** Begins the names of functions. */
  readonly title: string;
  /** First segment of the lists of a tenant and of cascade deletes. */
  readonly folder: string;
  /** One resource. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly schema: TSchema;
  readonly example: object;
  readonly write: TSchema;
  readonly writeExample: object;
  /** Most bytes of a body. */
  readonly maxBytes?: number;
  /** Other resources that must not depend on it when it is deleted. */
  readonly dependents: string;
}

export const partyParam = { partyId: 'Id of the party' };

export const landRoutes: Readonly<Record<LandKind, LandRoutes>> = {
  party: {
    title: 'Party',
    folder: 'parties',
    path: 'parties/{partyId}',
    params: partyParam,
    schema: PartySchema,
    example: partyExample,
    write: PartyWrite,
    writeExample: partyWriteExample,
    dependents: 'farms, fields or insights',
  },
  farm: {
    title: 'Farm',
    folder: 'farms',
    path: 'parties/{partyId}/farms/{farmId}',
    params: { ...partyParam, farmId: 'Id of the farm' },
    schema: FarmSchema,
    example: farmExample,
    write: FarmWrite,
    writeExample: farmWriteExample,
    dependents: 'fields or insights',
  },
  field: {
    title: 'Field',
    folder: 'fields',
    path: 'parties/{partyId}/fields/{fieldId}',
    params: { ...partyParam, fieldId: 'Id of the field' },
    schema: FarmField,
    example: fieldExample,
    write: FarmFieldWrite,
    writeExample: fieldWriteExample,
    maxBytes: 4 * 1024 * 1024,
    dependents: 'insights',
  },
};

/** The resource that path or query name. */
export function landKeyOf(
  kind: LandKind,
  tenant: string,
  ids: RouteRequest<'jwt', TSchema, TSchema>['params'],
): LandKey {
  const partyId = ids['partyId'] ?? '';
  return { kind, tenant, partyId, id: ids[`${kind}Id`] ?? '' };
}
