import type { TSchema } from 'typebox';
import { isValid } from './validator.js';

/** Keyword of an enum: what else is taken, value by value, because answers have it. */
export const ALSO_TAKEN = 'x-also-taken';

interface Form {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly items?: TSchema;
  readonly enum?: readonly string[];
  readonly [ALSO_TAKEN]?: readonly string[];
}

/**
 * What a caller has sent, in the form that the schema documents: null in an optional property is that property absent,
 * unless the schema gives null a meaning, and what is sent as answers have it is what requests have.
 */
export function documentedForm(schema: TSchema, value: unknown): unknown {
  const { items, enum: values = [], [ALSO_TAKEN]: others = [] } = schema as Form;
  if (typeof value === 'string') return values[others.indexOf(value)] ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return items === undefined ? value : value.map((each) => documentedForm(items, each));
  return Object.fromEntries(Object.entries(value).flatMap(([name, member]) => documentedMember(schema, name, member)));
}

function documentedMember(schema: Form, name: string, member: unknown): [string, unknown][] {
  const { properties = {}, patternProperties = {}, required = [] } = schema;
  const form = Object.hasOwn(properties, name) ? properties[name] : Object.values(patternProperties)[0];
  if (form === undefined) return [[name, member]];
  const isAbsent = member === null && !required.includes(name) && !isValid(form, null);
  return isAbsent ? [] : [[name, documentedForm(form, member)]];
}
