import type { BoundaryModel } from '../predict/boundaryModel.js';
import { readBoundaryModel } from './boundaryModelReader.js';
import { findField, type FieldFinding, type FieldSearch } from './findField.js';

let model: Promise<BoundaryModel> | undefined;

/** `findField` with the shipped model, which lies beside the bundled code; each process reads the model once. */
export async function findFieldTask(search: FieldSearch): Promise<FieldFinding> {
  model ??= readBoundaryModel(new URL('assets/', import.meta.url));
  return findField(search, await model);
}
