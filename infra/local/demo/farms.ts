import type { MultiPolygon, Polygon, Position } from '../../../shared/geo/shapes/geoJson.js';
import {
  DEFAULT_TENANT,
  FOREIGN_TENANT,
  SERVICE_TENANT_NAME,
  UNCONSENTED_TENANT,
  UNLICENSED_TENANT,
} from '../standIns/tenants.js';
import { WITHOUT_FORECAST } from '../standIns/weather/outage.js';
import { VALLEY } from '../standIns/weather/terrain.js';
import type { Place } from '../standIns/weather/weatherRecord.js';

/** A field of the start. */
interface SeedField {
  readonly id: string;
  readonly farmId: string;
  readonly name: string;
  readonly geometry: Polygon | MultiPolygon;
}

/** A party of a tenant with its farms and fields. */
export interface SeedParty {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly farms: readonly { readonly id: string; readonly name: string }[];
  readonly fields: readonly SeedField[];
}

const AMERICAN_FARM = 'b0c5a7de-51c4-4f0e-9d53-8f6f0f1c2a11';
const EUROPEAN_FARM = '2f9d8c64-7b3a-4e5d-a1c8-6e0b7d4f9c22';
const PAMPEAN_FARM = '7c5e9d20-84b1-4f36-9a7d-2e6c8b1f5d44';
const CANADIAN_FARM = 'e4a1f7b3-0d92-4c68-b5e7-1f3a9c8d6b33';
const FOREIGN_FARM = 'a7d3c0e8-5b16-4f92-8e4d-3c9f0a6b7d11';
const UNCONSENTED_FARM = 'd2b8f4a6-91c7-4e05-b3f8-7a1e6c5d0f22';
const CANARY_FARM = '7b2e6d91-4c58-4fa3-8e07-5d9a1c3f6b44';

/** Fields whose weather is a case of its own: far below its grid cell, in the south, and without any forecast. */
export const WEATHER_FIELDS = {
  valley: '5fa39260-e718-44cf-8d2a-8361c4ef7006',
  pampa: '60b4a371-f829-45d0-9e3b-9472d5f08107',
  withoutForecast: '71c5b482-093a-46e1-af4c-a583e6019208',
} as const;

/** A field of four sides and some 30 ha around a place. */
function square({ longitude, latitude }: Place): Polygon {
  const [north, east] = [0.0025, 0.0025 / Math.cos((latitude * Math.PI) / 180)];
  const corner = (signEast: number, signNorth: number): Position => [
    Number((longitude + signEast * east).toFixed(6)),
    Number((latitude + signNorth * north).toFixed(6)),
  ];
  return {
    type: 'Polygon',
    coordinates: [[corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)]],
  };
}

/** A centre pivot: a circle as a ring of 48 corners. */
function pivot([longitude, latitude]: Position, radiusM: number): Polygon {
  const metresPerDegree = 111_195;
  const corner = (index: number): Position => {
    const angle = ((index % 48) * 2 * Math.PI) / 48;
    const east = (radiusM * Math.cos(angle)) / (metresPerDegree * Math.cos((latitude * Math.PI) / 180));
    const north = (radiusM * Math.sin(angle)) / metresPerDegree;
    return [Number((longitude + east).toFixed(6)), Number((latitude + north).toFixed(6))];
  };
  return { type: 'Polygon', coordinates: [Array.from({ length: 49 }, (_, index) => corner(index))] };
}

/** Inside the first field of the demo party. */
export const POINT_ON_SURFACE = { longitude: -92.972469, latitude: 41.518232 } as const;

/**
 * Invented people on real ground: fields of 20 to 100 ha where such crops grow, outlines drawn by us. The first is a
 * field of the synthetic farmland too, so that a boundary predicted from its scenes can be compared with it.
 */
export const OWN_FARMS: readonly [SeedParty, ...SeedParty[]] = [
  {
    tenant: DEFAULT_TENANT,
    id: '6d1f0c9a-3b7e-4a52-8f14-c0e5d2a7b911',
    name: 'Demo grower',
    farms: [
      { id: AMERICAN_FARM, name: 'Prairie and Plains' },
      { id: EUROPEAN_FARM, name: 'Vega and Slätt' },
      { id: PAMPEAN_FARM, name: 'Pampa' },
    ],
    fields: [
      {
        id: '0a6e4d1b-92c3-4f7a-b8d5-3e1c7f9a2b01',
        farmId: AMERICAN_FARM,
        name: 'Ridge field, Iowa (corn and soybean)',
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [-92.975808, 41.51503],
              [-92.969672, 41.51583],
              [-92.966011, 41.516212],
              [-92.963704, 41.516609],
              [-92.964411, 41.521605],
              [-92.970124, 41.521174],
              [-92.974583, 41.520753],
              [-92.976948, 41.520771],
              [-92.975915, 41.51692],
              [-92.975767, 41.515843],
              [-92.975808, 41.51503],
            ],
          ],
        },
      },
      {
        id: '1b7f5e2c-a3d4-408b-89e6-4f2d80ab3c02',
        farmId: AMERICAN_FARM,
        name: 'Pivot 7, Texas High Plains (cotton)',
        geometry: pivot([-101.945, 33.721], 400),
      },
      {
        id: '2c806f3d-b4e5-419c-9af7-503e91bc4d03',
        farmId: EUROPEAN_FARM,
        name: 'Vega baja, Guadalquivir (sugar beet and cotton)',
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [-5.576, 37.6105],
              [-5.5695, 37.6098],
              [-5.5688, 37.613],
              [-5.5716, 37.6146],
              [-5.5752, 37.6151],
              [-5.5768, 37.6128],
              [-5.576, 37.6105],
            ],
          ],
        },
      },
      {
        id: '3d91704e-c5f6-42ad-ab08-614fa2cd5e04',
        farmId: EUROPEAN_FARM,
        name: 'Norrslätt, Uppland: two pieces, one around a rocky islet (winter wheat and canola)',
        geometry: {
          type: 'MultiPolygon',
          coordinates: [
            [
              [
                [17.44, 59.88],
                [17.452, 59.8796],
                [17.453, 59.8845],
                [17.4465, 59.8858],
                [17.4395, 59.884],
                [17.44, 59.88],
              ],
              [
                [17.445, 59.882],
                [17.445, 59.8828],
                [17.4464, 59.8828],
                [17.4464, 59.882],
                [17.445, 59.882],
              ],
            ],
            [
              [
                [17.454, 59.8801],
                [17.46, 59.8797],
                [17.4606, 59.8838],
                [17.4548, 59.8843],
                [17.454, 59.8801],
              ],
            ],
          ],
        },
      },
      {
        id: WEATHER_FIELDS.valley,
        farmId: EUROPEAN_FARM,
        name: 'Valley floor, 1,200 m below its mountains (corn)',
        geometry: square(VALLEY),
      },
      {
        id: WEATHER_FIELDS.pampa,
        farmId: PAMPEAN_FARM,
        name: 'Loma, Tandil (winter wheat of the south)',
        geometry: square({ latitude: -37.42, longitude: -59.31 }),
      },
      {
        id: WEATHER_FIELDS.withoutForecast,
        farmId: EUROPEAN_FARM,
        name: 'Beauce, where no forecast can be had (canola)',
        geometry: square(WITHOUT_FORECAST),
      },
    ],
  },
  {
    tenant: UNLICENSED_TENANT,
    id: '8f3b2e7c-5d90-4c16-a2f8-b7d4e1c6a922',
    name: 'Grower without an imagery licence',
    farms: [{ id: CANADIAN_FARM, name: 'Red River' }],
    fields: [
      {
        id: '4ea2815f-d607-43be-bc19-7250b3de6f05',
        farmId: CANADIAN_FARM,
        name: 'Section 12, Manitoba (canola)',
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [-98.3055, 49.6],
              [-98.2945, 49.6],
              [-98.2945, 49.6072],
              [-98.3055, 49.6072],
              [-98.3055, 49.6],
            ],
          ],
        },
      },
    ],
  },
  {
    tenant: FOREIGN_TENANT,
    id: 'f06b9d2e-4c81-4a73-a5e0-9d8c7b6f1e11',
    name: 'Grower whose key vault lies in another Entra tenant',
    farms: [{ id: FOREIGN_FARM, name: 'Beyond the hedge' }],
    fields: [
      {
        id: '18c0d7a3-6e4f-4b29-9a5d-0f3b8c7e1a01',
        farmId: FOREIGN_FARM,
        name: 'Pivot 1, Manitoba (canola)',
        geometry: pivot([-98.33, 49.6036], 400),
      },
    ],
  },
  {
    tenant: UNCONSENTED_TENANT,
    id: '0c7e5a91-d3f4-4b68-8a2d-6e9f1b0c3d22',
    name: 'Grower whose administrator has not consented',
    farms: [{ id: UNCONSENTED_FARM, name: 'Assiniboine' }],
    fields: [
      {
        id: '5d04b1e7-a283-4f6d-9e91-4d7fc0b25e05',
        farmId: UNCONSENTED_FARM,
        name: 'Pivot 2, Manitoba (canola)',
        geometry: pivot([-98.3, 49.6036], 400),
      },
    ],
  },
  {
    tenant: SERVICE_TENANT_NAME,
    id: 'c3a90e5d-7f14-4b28-96d1-2e8b4f7a5c33',
    name: 'The canary, which is no grower',
    farms: [{ id: CANARY_FARM, name: 'Canary' }],
    fields: [
      {
        id: '5fb3926a-e718-44cf-8d2a-8361c4ef7a06',
        farmId: CANARY_FARM,
        name: 'Pivot of the canary, Kansas (corn)',
        geometry: pivot([-100.85, 37.95], 400),
      },
    ],
  },
];

/** The farm of the tenant `demo` that examples, console and demo start from. */
export const DEMO_FARM = {
  partyId: OWN_FARMS[0].id,
  farmId: AMERICAN_FARM,
  fieldIds: OWN_FARMS[0].fields.map(({ id }) => id),
  pointOnSurface: POINT_ON_SURFACE,
} as const;

/** The one party of a tenant. */
export function partyOf(tenant: string): SeedParty {
  const party = OWN_FARMS.find((each) => each.tenant === tenant);
  if (party === undefined) throw new RangeError(`No party of ${tenant} is planted.`);
  return party;
}
