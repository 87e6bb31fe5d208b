import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { collectionSchema, itemSchema } from './stacDocumentSchemas.js';

const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv, ['date', 'date-time', 'uri', 'uri-reference']);

const faultsBy =
  (validate: ValidateFunction) =>
  (document: unknown): readonly string[] =>
    validate(document) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);

/** What is wrong with a `metadata.json`; empty when nothing is. */
export const itemFaults = faultsBy(ajv.compile(itemSchema));
/** What is wrong with an `index.json`; empty when nothing is. */
export const collectionFaults = faultsBy(ajv.compile(collectionSchema));
