import { Type, type Static, type TSchema } from 'typebox';

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** The read-only type of the values that a schema describes. */
export type RecordOf<S extends TSchema> = Frozen<Static<S>>;

/** Schemas of members of records. */
export const calendarDay = (description: string) => Type.String({ format: 'date', description });
export const instant = (description: string) =>
  Type.String({ format: 'date-time', description: `${description}, UTC` });
export const word = (description: string) => Type.String({ description });
export const words = (description: string) => Type.Array(Type.String(), { description });
export const amount = (description: string) => Type.Number({ description });
export const count = (description: string) => Type.Integer({ minimum: 0, description });
export const fraction = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
export const orNull = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });
export const always = <V extends string>(value: V, description: string) => Type.Enum([value], { description });

/** An array of a fixed length as minItems and maxItems: client generators do not read lists of item schemas. */
export const tuple = <T extends readonly number[]>(length: number, type: 'number' | 'integer', description?: string) =>
  Type.Unsafe<T>({
    type: 'array',
    items: { type },
    minItems: length,
    maxItems: length,
    ...(description === undefined ? {} : { description }),
  });

/** An object without further members, a named schema of the OpenAPI document. */
export const described = <P extends Record<string, TSchema>>(title: string, properties: P, description?: string) =>
  Type.Object(properties, {
    title,
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  });
