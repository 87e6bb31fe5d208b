/** Reading a provider's JSON step by step: each reader names what it wanted when it is not there. */

export type JsonMembers = Readonly<Record<string, unknown>>;

/** The answer does not have the shape it is documented to have. */
export class ShapeError extends Error {}

export function membersOf(value: unknown, name: string): JsonMembers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ShapeError(`no object ${name}`);
  return value as JsonMembers;
}

export const memberOf = (value: unknown, name: string): JsonMembers =>
  membersOf(membersOf(value, 'around')[name], name);

export function numberOf(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ShapeError(`no number ${name}`);
  return value;
}

export function listOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ShapeError(`no list ${name}`);
  return value;
}

/** A finite number or null; anything else is no temperature. */
export function temperatureOf(value: unknown, name: string): number | null {
  return value === null ? null : numberOf(value, name);
}

export function expectText(value: unknown, expected: string, name: string): void {
  if (value !== expected) throw new ShapeError(`${name} is not ${expected}`);
}
