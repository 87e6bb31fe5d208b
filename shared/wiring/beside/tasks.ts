import {
  checkGeoJson,
  inspectBoundaries,
  placeBoundaries,
  standingField,
} from '../../enrollments/upload/uploadTasks.js';
import { inspectGeometry } from '../../farm/wire/fieldGeometry.js';
import { doesShapeMeet, featureShape, pointOfShape } from '../../farm/land/shapeWork.js';
import { featureSpans } from '../../farm/files/featureSpans.js';
import { compareLand, prepareFeatures } from '../../farm/imports/importTasks.js';
import { parsedJson } from '../../kit/json/jsonText.js';
import { makeLayers } from '../../scenes/layers/fieldLayers.js';
import { findFieldTask as findField } from '../../boundary/job/findFieldTask.js';

/** The tasks by name: pure work that takes longer than a request should wait, done in a process beside the event loop. */
export const tasks = {
  ...{ parsedJson, checkGeoJson, placeBoundaries, inspectBoundaries, standingField },
  ...{ findField, makeLayers },
  ...{ inspectGeometry, doesShapeMeet, featureShape, pointOfShape },
  ...{ featureSpans, prepareFeatures, compareLand },
} as const;

/** Runs one task; its input and output are copied from process to process. */
export type RunTask = <N extends keyof typeof tasks>(
  name: N,
  input: Parameters<(typeof tasks)[N]>[0],
) => Promise<Awaited<ReturnType<(typeof tasks)[N]>>>;

/** A task for the task process. */
export interface TaskRequest {
  readonly name: keyof typeof tasks;
  readonly input: unknown;
}

/** A message to the task process: a task. */
export interface TaskMessage extends TaskRequest {
  /** Bytes of its file, where that comes by the pipe for files. */
  readonly fileBytes?: number;
}

/** The task process's answer: exactly one for each request, in their order. */
export type TaskAnswer =
  | { readonly output: unknown; readonly failure?: undefined }
  | { readonly failure: { readonly message: string; readonly stack: string } };
