import { Type } from 'typebox';
import type { BoundaryPrediction } from '../predict/predictBoundary.js';
import type { JsonObject } from '../../kit/json/json.js';
import {
  always,
  amount,
  calendarDay,
  described,
  fraction,
  instant,
  tuple,
  word,
  words,
  type RecordOf,
} from '../../jobs/insight/recordSchema.js';
import { toMapPoint } from '../../geo/grid/grid.js';
import { projectionOf } from '../../geo/grid/utm.js';
import type { PassedScene } from '../stack/chosenScenes.js';
import type { ScenePicture } from '../stack/scenePicture.js';
import type { SearchRegion } from '../stack/searchRegion.js';
import type { BoundaryJobParameters } from '../form/smartBoundaryParameters.js';

const Position = tuple<readonly [longitude: number, latitude: number]>(2, 'number');

const BoundaryPolygon = described(
  'BoundaryPolygon',
  {
    type: always('Polygon', 'The kind of geometry'),
    coordinates: Type.Array(Type.Array(Position), {
      description: 'One closed ring, counter-clockwise; each position longitude first, WGS 84',
    }),
  },
  'An outline that holds the point, RFC 7946',
);

const SceneRecord = described(
  'BoundaryScene',
  {
    date: calendarDay('UTC day of the acquisition'),
    sceneIds: words('Ids of its scenes in the catalogue'),
    isUsed: Type.Boolean({ description: 'Whether the prediction rests on it' }),
    clearFraction: Type.Optional(
      fraction('Share of clear pixels within 640 m of the point; absent when the pixels were not looked at'),
    ),
    reason: Type.Optional(word('Why it was not used: the end of a sentence')),
  },
  'One pass of a satellite and what became of it',
);

const BoundaryAlternative = described('BoundaryAlternative', {
  boundary: BoundaryPolygon,
  areaHectares: amount('Area within the outline, ha'),
  confidence: fraction('Estimated overlap (intersection over union) with the true field'),
  reading: Type.Optional(
    Type.Enum(['part', 'larger', 'other'], {
      description: 'How it lies to the boundary: within it, round it, or neither; absent in records of before 0.2.0',
    }),
  ),
});

const ScenePictureRecord = described(
  'ScenePicture',
  {
    date: calendarDay('UTC day of the acquisition'),
    corners: Type.Array(Position, {
      minItems: 4,
      maxItems: 4,
      description: 'Upper left, upper right, lower right, lower left; each longitude first, WGS 84',
    }),
  },
  'The ground in true colour as the job saw it: the insight with `Accept: image/tiff`, a GeoTIFF of at most 300 KB',
);

const SearchRegionRecord = described(
  'SearchRegion',
  {
    fieldId: word('The field in the data manager that holds its rectangle'),
    sideMeters: amount('Length of its sides, m'),
    bbox: tuple<readonly [west: number, south: number, east: number, north: number]>(
      4,
      'number',
      'West, south, east, north; degrees',
    ),
  },
  'The square in which the field was looked for',
);

const ConfidenceClass = Type.Enum(['low', 'medium', 'high'], { description: 'low < 0.55 ≤ medium < 0.75 ≤ high' });

/** The members that the record and its GeoJSON have in common. */
const found = {
  areaHectares: amount('Area within the outline, ha'),
  perimeterMeters: amount('Length of the outline, m'),
  confidence: fraction('Estimated overlap (intersection over union) with the true field'),
  confidenceClass: ConfidenceClass,
  touchesSearchRegion: Type.Boolean({
    description: 'True when the outline ends at the search region, so that the field may go on beyond it',
  }),
  moreDatesMayHelp: Type.Optional(
    Type.Boolean({
      description:
        'True when fewer than three clear dates were there and the confidence is not high: a period with more of them may give a better outline; absent in records of before 0.2.0',
    }),
  ),
  scenes: Type.Array(SceneRecord, { description: 'Every pass of the period, by date' }),
  method: Type.Enum(['network', 'gradient'], { description: 'How the outline was found' }),
  modelVersion: word('Version of the model'),
  searchRegion: SearchRegionRecord,
  pointOnSurface: described(
    'PredictionPoint',
    { longitude: amount('Degrees, west negative'), latitude: amount('Degrees, south negative') },
    'The point of the job',
  ),
  jobId: word('Id of the job'),
};

/** The insight of a Smart Boundary job as it is stored and answered. */
export const BoundaryRecord = described(
  'SmartBoundaryInsight',
  {
    insightId: Type.String({ format: 'uuid', description: 'As the job names it' }),
    kind: always('SMART_BOUNDARY', 'Which insight it is'),
    ...found,
    partyId: word('Party of the job'),
    resourceType: always('FARM', 'Kind of the resource of the job'),
    resourceId: word('Farm of the job'),
    imageStartDate: calendarDay('First day of imagery'),
    imageEndDate: calendarDay('Last day of imagery, inclusive'),
    boundary: BoundaryPolygon,
    alternatives: Type.Array(BoundaryAlternative, {
      maxItems: 4,
      description: 'Other readings of the place, the likelier first',
    }),
    picture: Type.Optional(ScenePictureRecord),
    asOf: instant('When it was predicted'),
  },
  'What a Smart Boundary job has found',
);
export type BoundaryRecord = RecordOf<typeof BoundaryRecord>;

/** The boundary as map programs read it. */
export const BoundaryFeature = described('BoundaryFeature', {
  type: always('Feature', 'The kind of GeoJSON object'),
  id: Type.String({ format: 'uuid', description: 'The insightId' }),
  geometry: BoundaryPolygon,
  properties: described('BoundaryProperties', found),
});
export type BoundaryFeature = RecordOf<typeof BoundaryFeature>;

/** Everything a record is made of. */
export interface RecordParts {
  readonly insightId: string;
  readonly jobId: string;
  readonly parameters: BoundaryJobParameters;
  readonly prediction: BoundaryPrediction;
  readonly passed: readonly PassedScene[];
  readonly region: SearchRegion;
  readonly fieldId: string;
  readonly picture: Pick<ScenePicture, 'date' | 'grid'> | undefined;
  readonly asOf: Date;
}

/** The record of a prediction: areas to a square metre, lengths to a decimetre, shares to a thousandth. */
export function boundaryRecord(parts: RecordParts): BoundaryRecord {
  const { insightId, jobId, parameters, prediction, region, fieldId, asOf } = parts;
  const [longitude, latitude] = parameters.pointOnSurface;
  return {
    insightId,
    kind: 'SMART_BOUNDARY',
    jobId,
    partyId: parameters.partyId,
    resourceType: 'FARM',
    resourceId: parameters.resourceId,
    pointOnSurface: { longitude, latitude },
    imageStartDate: parameters.imageStartDate,
    imageEndDate: parameters.imageEndDate,
    boundary: prediction.polygon,
    areaHectares: rounded(prediction.areaHectares, 4),
    perimeterMeters: rounded(prediction.perimeterMeters, 1),
    confidence: rounded(prediction.confidence, 3),
    confidenceClass: prediction.confidenceClass,
    touchesSearchRegion: prediction.touchesWindow,
    moreDatesMayHelp: prediction.moreDatesMayHelp,
    alternatives: prediction.alternatives.map(({ polygon, areaHectares, confidence, reading }) => ({
      boundary: polygon,
      areaHectares: rounded(areaHectares, 4),
      confidence: rounded(confidence, 3),
      reading,
    })),
    scenes: scenesOf(parts),
    searchRegion: { fieldId, sideMeters: region.grid.width * region.grid.pixelWidth, bbox: region.box },
    method: prediction.method,
    modelVersion: prediction.modelVersion,
    ...(parts.picture === undefined ? {} : { picture: pictureOf(parts.picture) }),
    asOf: asOf.toISOString(),
  };
}

/** Places to a centimetre. */
const PLACE_DECIMALS = 7;

function pictureOf({ date, grid }: Pick<ScenePicture, 'date' | 'grid'>): NonNullable<BoundaryRecord['picture']> {
  const { toPosition } = projectionOf(grid.epsg);
  const { width, height } = grid;
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ] as const;
  return {
    date,
    corners: corners.map((corner) => {
      const [longitude, latitude] = toPosition(toMapPoint(grid, corner));
      return [rounded(longitude, PLACE_DECIMALS), rounded(latitude, PLACE_DECIMALS)] as const;
    }),
  };
}

function scenesOf({ prediction, passed }: RecordParts): BoundaryRecord['scenes'] {
  const used = prediction.dates.map(({ date, sceneIds, clearFraction, isUsed, reason }) => ({
    date,
    sceneIds,
    isUsed,
    clearFraction: rounded(clearFraction, 3),
    ...(reason === undefined ? {} : { reason }),
  }));
  const rest = passed.map(({ date, sceneIds, reason }) => ({ date, sceneIds, isUsed: false, reason }));
  return [...used, ...rest].sort((a, b) => a.date.localeCompare(b.date));
}

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/** Whether a stored record is that of a Smart Boundary job. */
export const isBoundaryRecord = (record: JsonObject): record is BoundaryRecord => record['kind'] === 'SMART_BOUNDARY';
