import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Static, TSchema } from 'typebox';
import { IsDate, IsDateTime, IsUri } from 'typebox/format';
import type { FaultDetail } from '../errors/fault.js';
import { isUuid } from '../ids.js';

/** Most faults that one answer names. */
export const MAX_FAULTS = 100;

const ajv = new Ajv2020({ strict: true, allErrors: true, verbose: true, validateSchema: false });
ajv.addKeyword('x-also-taken');
ajv.addFormat('date', IsDate);
// Without the suffix in brackets of RFC 9557, which names a zone.
ajv.addFormat('date-time', (text: string) => !text.includes('[') && IsDateTime(text));
ajv.addFormat('uri', IsUri);
ajv.addFormat('uuid', isUuid);

const compiled = new WeakMap<TSchema, ValidateFunction>();

/** Compiled at first use, so that a schema that is never used does not slow the start. */
function validatorOf(schema: TSchema): ValidateFunction {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  return validate;
}

/** Whether the value is valid against the schema. */
export function isValid<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  return validatorOf(schema)(value);
}

/**
 * Every fault of a value against a schema, at most MAX_FAULTS; an empty list means the value is valid.
 *
 * The texts name the property, the rule and what is accepted; they never repeat the caller's value.
 */
export function faultsOf(schema: TSchema, value: unknown): FaultDetail[] {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  return (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== 'if' && keyword !== 'anyOf')
    .slice(0, MAX_FAULTS)
    .map((error) => {
      const loc = locationOf(error);
      return { loc, msg: `${locationText(loc)} ${textOf(error)}`, type: typeOf(error) };
    });
}

/** A path of properties and indexes as people write it: `a.b[3].c`. */
export function locationText(loc: readonly (string | number)[]): string {
  if (loc.length === 0) return 'The body';
  return loc
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${part.slice(0, 64)}`))
    .join('');
}

function locationOf({ instancePath, keyword, params }: ErrorObject): (string | number)[] {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  if (keyword === 'required' && missingProperty !== undefined) return [...path, missingProperty];
  if (keyword === 'additionalProperties' && additionalProperty !== undefined) return [...path, additionalProperty];
  return path;
}

const texts: Readonly<Record<string, (error: ErrorObject) => string>> = {
  required: () => 'is missing',
  additionalProperties: () => 'is not a known property; remove it',
  type: ({ params }) => `must be ${article(String(params['type']))}`,
  enum: ({ params }) => `must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')} (exactly so)`,
  const: ({ params }) => `must be ${String(params['allowedValue'])} (exactly so)`,
  minimum: ({ params }) => `must be ${String(params['limit'])} or more`,
  maximum: ({ params }) => `must be ${String(params['limit'])} or less`,
  minLength: ({ params }) => `must have at least ${String(params['limit'])} characters`,
  maxLength: ({ params }) => `must have at most ${String(params['limit'])} characters`,
  minItems: ({ params }) => `must have at least ${String(params['limit'])} items`,
  maxItems: ({ params }) => `must have at most ${String(params['limit'])} items`,
  uniqueItems: () => 'must not hold the same item twice',
  format: ({ params }) => `must be ${formats[String(params['format'])] ?? `of the format ${String(params['format'])}`}`,
};

const formats: Readonly<Record<string, string>> = {
  date: 'a calendar day written YYYY-MM-DD, such as 2026-05-01',
  uuid: 'a UUID, such as 1f0c4f3e-8f0b-4c7d-9a43-5d2f0c9b7e11, without `urn:uuid:` or braces',
};

function textOf(error: ErrorObject): string {
  const described = error.parentSchema?.['description'] as string | undefined;
  if (error.keyword === 'pattern' && described !== undefined) return `must be ${described}`;
  return (texts[error.keyword] ?? (() => error.message ?? 'is not valid'))(error);
}

function typeOf({ keyword }: ErrorObject): string {
  return keyword.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function article(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
