import type { BoundaryPrediction, ConfidenceClass } from '../boundary/predictBoundary.js';
import type { Polygon } from '../geo/geoJson.js';
import type { JsonObject } from '../jobs/job.js';
import type { BoundaryMethod } from '../boundary/proposals.js';
import type { PassedScene } from './sceneChoice.js';
import type { SearchRegion } from './searchRegion.js';
import type { SmartBoundaryParameters } from './smartBoundaryParameters.js';

/* Type aliases, not interfaces: a record is a JSON object, and only aliases have the index signature of one. */
/* eslint-disable @typescript-eslint/consistent-type-definitions */

/** One pass of a satellite and what became of it. */
export type BoundaryScene = {
  /** UTC day of the acquisition. */
  readonly date: string;
  /** Ids of its scenes in the data manager. */
  readonly sceneIds: readonly string[];
  readonly isUsed: boolean;
  /** Share of clear pixels within 640 m of the point, 0–1; absent when the pixels were not looked at. */
  readonly clearFraction?: number;
  /** Why it was not used: the end of a sentence. */
  readonly reason?: string;
};

/** The insight of a Smart Boundary job as it is stored and answered. */
export type BoundaryRecord = {
  readonly insightId: string;
  readonly kind: 'SMART_BOUNDARY';
  readonly jobId: string;
  readonly partyId: string;
  readonly resourceType: 'FARM';
  readonly resourceId: string;
  readonly pointOnSurface: { readonly longitude: number; readonly latitude: number };
  readonly imageStartDate: string;
  readonly imageEndDate: string;
  /** The field's outline, RFC 7946: one ring, counter-clockwise, WGS 84; it holds the point. */
  readonly boundary: {
    readonly type: 'Polygon';
    readonly coordinates: readonly (readonly (readonly [number, number])[])[];
  };
  readonly areaHectares: number;
  readonly perimeterMeters: number;
  /** Estimated share of overlap (intersection over union) with the true field, 0–1. */
  readonly confidence: number;
  readonly confidenceClass: ConfidenceClass;
  /** True when the outline ends at the search region, so that the field may go on beyond it. */
  readonly touchesSearchRegion: boolean;
  /** Other readings of the place, the likelier first; at most two. */
  readonly alternatives: readonly {
    readonly boundary: BoundaryRecord['boundary'];
    readonly areaHectares: number;
    readonly confidence: number;
  }[];
  readonly scenes: readonly BoundaryScene[];
  readonly searchRegion: {
    /** The field in the data manager that holds its rectangle. */
    readonly fieldId: string;
    readonly sideMeters: number;
    /** [west, south, east, north], degrees. */
    readonly bbox: readonly [number, number, number, number];
  };
  readonly method: BoundaryMethod;
  readonly modelVersion: string;
  readonly asOf: string;
};
/* eslint-enable @typescript-eslint/consistent-type-definitions */

/** Everything a record is made of. */
export interface RecordParts {
  readonly insightId: string;
  readonly jobId: string;
  readonly parameters: SmartBoundaryParameters;
  readonly prediction: BoundaryPrediction;
  readonly passed: readonly PassedScene[];
  readonly region: SearchRegion;
  readonly fieldId: string;
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
    boundary: geometryOf(prediction.polygon),
    areaHectares: rounded(prediction.areaHectares, 4),
    perimeterMeters: rounded(prediction.perimeterMeters, 1),
    confidence: rounded(prediction.confidence, 3),
    confidenceClass: prediction.confidenceClass,
    touchesSearchRegion: prediction.touchesWindow,
    alternatives: prediction.alternatives.map(({ polygon, areaHectares, confidence }) => ({
      boundary: geometryOf(polygon),
      areaHectares: rounded(areaHectares, 4),
      confidence: rounded(confidence, 3),
    })),
    scenes: scenesOf(parts),
    searchRegion: { fieldId, sideMeters: region.grid.width * region.grid.pixelWidth, bbox: region.box },
    method: prediction.method,
    modelVersion: prediction.modelVersion,
    asOf: asOf.toISOString(),
  };
}

function geometryOf({ coordinates }: Polygon): BoundaryRecord['boundary'] {
  return { type: 'Polygon', coordinates };
}

function scenesOf({ prediction, passed }: RecordParts): readonly BoundaryScene[] {
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

/** Whether a stored record is one of these; the solution of its job says so too. */
export const isBoundaryRecord = (record: JsonObject): record is BoundaryRecord => record['kind'] === 'SMART_BOUNDARY';
