import { Type } from 'typebox';
import { FieldGeometry } from '../../shared/enrollments/record/enrollmentSchemas.js';
import { fieldCollection } from '../../shared/farm/operations/fieldCollection.js';
import { partyKeyOf } from '../../shared/farm/land/land.js';
import { positionIn, skipTokenOf } from '../../shared/farm/wire/skipToken.js';
import { listIn } from '../../shared/farm/wire/wireFilters.js';
import { joinedJson } from '../../shared/kit/json/json.js';
import { closedObject } from '../../shared/kit/validation/schemaParts.js';
import { fieldsGeoJsonExample } from './examples.js';
import { farmOperation } from './farmRoute.js';
import { partyParam } from './landKinds.js';

const USUAL_LIMIT = 250;
const MEDIA_TYPE = 'application/geo+json';
const ids = (description: string) =>
  Type.Optional(
    Type.Array(Type.String(), { maxItems: 100, description: `${description}; repeated, or joined by commas` }),
  );

const FieldProperties = closedObject('FarmFieldProperties', {
  field_id: Type.String({ description: 'Id of the field, behind that of its party where that is asked for' }),
  party_id: Type.String({ description: 'Id of the party' }),
  farm_id: Type.Optional(Type.String({ description: 'Id of the farm' })),
  name: Type.Optional(Type.String({ description: 'For people' })),
  enrollable: Type.Boolean({ description: 'Whether an enrollment takes the field' }),
  not_enrollable: Type.Optional(Type.String({ description: 'Why not' })),
});

const FieldFeature = closedObject('FarmFieldFeature', {
  type: Type.Enum(['Feature'], { description: 'The kind of GeoJSON object' }),
  geometry: FieldGeometry('Where the field lies'),
  properties: FieldProperties,
});

const PageLink = closedObject('FarmPageLink', {
  rel: Type.Enum(['next'], { description: 'What it leads to' }),
  href: Type.String({ format: 'uri', description: 'The next fields' }),
  type: Type.String({ description: 'Their content type' }),
});

const FieldFeatures = closedObject('FarmFieldFeatures', {
  type: Type.Enum(['FeatureCollection'], { description: 'The kind of GeoJSON object' }),
  features: Type.Array(FieldFeature, { description: 'By id' }),
  links: Type.Optional(Type.Array(PageLink, { description: 'Absent behind the last fields' })),
});

/** GET /v1/parties/{partyId}/fields.geojson — the fields of a party in the form in which enrollments take them. */
export const farmFieldsGeoJson = farmOperation({
  name: 'farmFieldsGeoJson',
  method: 'GET',
  path: 'v1/parties/{partyId}/fields.geojson',
  role: 'Farm.Read',
  summary: 'Read the fields of a party as GeoJSON',
  description:
    'The answer is what part `geojson` of POST /v1/enrollments takes, and what GIS programs open. Fields without an area and search regions of jobs are left out. `enrollable` says whether an enrollment takes the field.',
  params: partyParam,
  query: Type.Object({
    farmIds: ids('Ids of farms'),
    ids: ids('Ids of fields'),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, description: `Most fields, ${USUAL_LIMIT} when absent` }),
    ),
    idPrefix: Type.Optional(
      Type.Enum(['party'], { description: '`field_id` is then `{party}.{field}`, unique among several parties' }),
    ),
    skipToken: Type.Optional(Type.String({ maxLength: 2_000, description: 'Goes on behind an answer: see its link' })),
  }),
  success: {
    status: 200,
    description: 'A FeatureCollection. Go on with its link `next` until there is none.',
    content: { [MEDIA_TYPE]: { schema: FieldFeatures, example: fieldsGeoJsonExample } },
  },
  faults: [],
  handle: async ({ tenant, params: { partyId = '' }, query, origin }, { farm }) => {
    const filters = { farmIds: listIn(query, 'farmIds'), ids: listIn(query, 'ids') };
    const list = ['fields.geojson', partyId, filters];
    const [party, row] = query.skipToken === undefined ? [] : positionIn(list, query.skipToken);
    const after = party === undefined || row === undefined ? undefined : { party, row };
    const { features, next } = await fieldCollection(farm)(partyKeyOf(tenant, partyId), {
      ...filters,
      limit: query.limit ?? USUAL_LIMIT,
      hasPrefix: query.idPrefix === 'party',
      after,
    });
    const token = next && skipTokenOf(list, [next.party, next.row]);
    const href = token && `${origin}/v1/parties/${partyId}/fields.geojson?${nextQuery(query, token)}`;
    const links = href === undefined ? '' : `,"links":${JSON.stringify([{ rel: 'next', href, type: MEDIA_TYPE }])}`;
    const texts = features.flatMap(({ geometry, properties }, index) => [
      `${index === 0 ? '' : ','}{"type":"Feature","geometry":`,
      ...[geometry, `,"properties":${JSON.stringify(properties)}}`],
    ]);
    const data = joinedJson(['{"type":"FeatureCollection","features":[', ...texts, `]${links}}`]);
    return { status: 200, content: { type: MEDIA_TYPE, data } };
  },
});

function nextQuery(query: Readonly<Record<string, unknown>>, skipToken: string): string {
  const asked: Readonly<Record<string, unknown>> = { ...query, skipToken };
  const entries = Object.entries(asked).flatMap(([name, given]) =>
    [given].flat().map((each): [string, string] => [name, String(each)]),
  );
  return new URLSearchParams(entries).toString();
}
