import { checkGeoJson, inspectFields, surveyFields } from '../enrollments/uploadTasks.js';
import { makeLayers } from '../imagery/layers/fieldLayers.js';
import { findFieldTask as findField } from '../smartBoundary/findFieldTask.js';

/** What runs beside the event loop, by name: pure work that takes longer than a request should have to wait. */
export const tasks = { checkGeoJson, inspectFields, surveyFields, findField, makeLayers } as const;

export type TaskName = keyof typeof tasks;
export type TaskInput<N extends TaskName> = Parameters<(typeof tasks)[N]>[0];
export type TaskOutput<N extends TaskName> = Awaited<ReturnType<(typeof tasks)[N]>>;

/** Runs one task; its input and output are copied from process to process. */
export type RunTask = <N extends TaskName>(name: N, input: TaskInput<N>) => Promise<TaskOutput<N>>;
