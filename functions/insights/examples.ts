import { gddChart } from '../../shared/gdd/chart/gddChart.js';
import { gddCsv } from '../../shared/gdd/record/gddCsv.js';
import type { GddRecord } from '../../shared/gdd/form/gddRecord.js';
import { boundaryFeature } from '../../shared/boundary/record/boundaryGeoJson.js';
import type { BoundaryRecord } from '../../shared/boundary/record/boundaryRecord.js';

/** An insight of each kind for the OpenAPI document; every example is checked against its schema by test. */
export const gddInsightExample: GddRecord = {
  insightId: '0c5d8a1e-7b1f-5e0a-9f55-5a0b8b1d3c77',
  kind: 'GDD',
  modelVersion: 'gdd-crops/1',
  jobId: 'north-field-corn-2026',
  partyId: '2b1c0a52-5f3e-4d0c-9c1b-6a7f2f1d9e10',
  resourceType: 'FIELD',
  resourceId: '7d9f5c3a-1e64-4c38-8d47-3f5b0a6c2e91',
  crop: 'CORN',
  gddStartDate: '2026-06-01',
  gddEndDate: '2026-06-03',
  temperatureUnit: 'C',
  description: 'Sum of daily growing degree-days from gddStartDate to gddEndDate, both included.',
  method: {
    name: 'CLIP',
    formula: '(min(max(tmax, lower), upper) + min(max(tmin, lower), upper)) / 2 - lower',
    lower: 10,
    upper: 30,
    reference: 'NDAWN limits as used by the Montana Mesonet (climate.umt.edu/mesonet/ag_tools/gdds)',
  },
  location: {
    latitude: 41.518232,
    longitude: -92.972469,
    elevationM: 290,
    timezone: 'America/Chicago',
    how: 'boundary-centroid',
  },
  total: 34.5,
  observedTotal: 22.5,
  provisionalTotal: 12,
  forecastTotal: 0,
  normalTotal: 0,
  days: 3,
  asOf: '2026-06-08T08:15:02.480Z',
  asOfDate: '2026-06-08',
  coverage: { observed: 2, provisional: 1, forecast: 0, normal: 0, interpolated: 0, longestGap: 0 },
  sources: [
    {
      product: 'archive',
      provider: 'nasa-power',
      model: 'MERRA-2',
      gridLatitude: 41.5,
      gridLongitude: -93.125,
      gridElevationM: 300,
      dayBoundary: 'Local solar day',
      elevationCorrectionC: { tmax: 0.07, tmin: 0.05 },
      retrievedAt: '2026-06-08T08:15:01.350Z',
      attribution: 'NASA Langley Research Center POWER Project',
      licence: 'free and open',
    },
  ],
  daily: [
    { date: '2026-06-01', tmin: 12, tmax: 26, gdd: 9, cumulative: 9, source: 'OBSERVED' },
    { date: '2026-06-02', tmin: 15, tmax: 32, gdd: 13.5, cumulative: 22.5, source: 'OBSERVED' },
    { date: '2026-06-03', tmin: 14, tmax: 30, gdd: 12, cumulative: 34.5, source: 'PROVISIONAL' },
  ],
  normal: {
    years: [1991, 2020],
    yearCount: 30,
    totalMean: 31.2,
    p10: 22.1,
    p50: 31.5,
    p90: 39.8,
    departure: 3.3,
    departurePercent: 10.58,
    reached: { earliest: '2026-06-03', median: null, latest: null },
    cumulative: { mean: [10.1, 20.6, 31.2], p10: [6.2, 14.3, 22.1], p90: [13.8, 27, 39.8] },
    firstFreeze: { earliest: '09-24', median: '10-07', latest: '10-20' },
    lastFreeze: { earliest: '04-11', median: '04-26', latest: '05-10' },
  },
  range: { p10: 34.5, p50: 34.5, p90: 34.5 },
  uncertainty: { place: 0.6 },
  frost: [],
  stages: [
    {
      code: 'V8',
      name: '8 leaves',
      threshold: 600,
      unit: 'F',
      definition: 'CLIP 50/86 °F',
      date: null,
      basis: null,
      earliest: null,
      latest: null,
    },
  ],
  stageModel: {
    definition: 'CLIP 50/86 °F',
    unit: 'F',
    countedFrom: '2026-06-01',
    reference: 'University of Wisconsin corn development thresholds, CLIP 50/86 °F from planting',
    caution: 'for hybrids of relative maturity 95 to 105',
  },
  warnings: [],
  citations: [
    'McMaster, G. S. & Wilhelm, W. W. (1997): Growing degree-days: one equation, two interpretations. Agricultural and Forest Meteorology 87, 291–300. doi:10.1016/S0168-1923(97)00027-0',
  ],
};

const outline = (halfDegrees: number): BoundaryRecord['boundary'] => {
  const [longitude, latitude] = [-92.972469, 41.518232];
  const [west, east] = [longitude - halfDegrees, longitude + halfDegrees];
  const [south, north] = [latitude - halfDegrees, latitude + halfDegrees];
  return {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
};

export const boundaryInsightExample: BoundaryRecord = {
  insightId: '5e1b7c0d-3a52-5c1e-8f0a-9d2e6b4c7a18',
  kind: 'SMART_BOUNDARY',
  jobId: 'north-field-outline',
  partyId: '2b1c0a52-5f3e-4d0c-9c1b-6a7f2f1d9e10',
  resourceType: 'FARM',
  resourceId: '5c9e2d74-8a16-4f03-b7d2-0e6a3b9c1f45',
  pointOnSurface: { longitude: -92.972469, latitude: 41.518232 },
  imageStartDate: '2026-06-01',
  imageEndDate: '2026-06-14',
  boundary: outline(0.004),
  areaHectares: 59.2311,
  perimeterMeters: 3112.8,
  confidence: 0.87,
  confidenceClass: 'high',
  touchesSearchRegion: false,
  moreDatesMayHelp: false,
  alternatives: [{ boundary: outline(0.002), areaHectares: 14.8078, confidence: 0.41, reading: 'part' }],
  scenes: [
    {
      date: '2026-06-03',
      sceneIds: ['S2A_15TVG_20260603'],
      isUsed: false,
      clearFraction: 0.1,
      reason: 'clouds lie over the point',
    },
    { date: '2026-06-08', sceneIds: ['S2B_15TVG_20260608'], isUsed: true, clearFraction: 1 },
  ],
  searchRegion: {
    fieldId: '9a3f6c21-4d7e-4b58-a1c0-2e8d5f7b6034',
    sideMeters: 2560,
    bbox: [-92.988, 41.5066, -92.957, 41.5298],
  },
  picture: {
    date: '2026-06-08',
    corners: [
      [-92.9878021, 41.5297558],
      [-92.9571319, 41.5297617],
      [-92.9571372, 41.5067049],
      [-92.9877965, 41.506699],
    ],
  },
  method: 'network',
  modelVersion: '1.1.0',
  asOf: '2026-06-20T12:00:00.000Z',
};

export const csvExample = gddCsv(gddInsightExample);
export const geoJsonExample = boundaryFeature(boundaryInsightExample);
export const svgExample = gddChart(gddInsightExample);
