import { isSameId } from '../ids.js';
import { DataManagerError } from './dataManager.js';

/** A JSON object of the data manager, before anything in it is believed. */
export type Answer = Readonly<Record<string, unknown>>;

/**
 * The answer as an object that speaks of the resource we asked for. Ids are compared without case.
 *
 * @throws DataManagerError `unavailable` for anything else: no caller can mend it
 */
export function resourceAnswer(answer: unknown, id: string): Answer {
  if (!isJsonObject(answer)) throw unexpected('no object');
  if (!isSameId(textOf(answer, 'id'), id)) throw unexpected('another id than asked for');
  return answer;
}

/** A list that is not empty. */
export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw unexpected('no list, or an empty one');
  return value;
}

export function textOf(answer: Answer, name: string): string {
  const value = answer[name];
  if (typeof value !== 'string') throw unexpected(`${name} is no text`);
  return value;
}

/** The member under its name when it is there; absent and null are the same. */
export function optionalText<N extends string>(answer: Answer, name: N): Partial<Record<N, string>> {
  if ((answer[name] ?? undefined) === undefined) return {};
  return { [name]: textOf(answer, name) } as Partial<Record<N, string>>;
}

/** Undefined when absent or null. */
export function optionalNumber(answer: Answer, name: string): number | undefined {
  const value = answer[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw unexpected(`${name} is no number`);
  return value;
}

export function isJsonObject(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An answer in a shape that the data manager's specification doesn't have. */
export function unexpected(what: string): DataManagerError {
  return new DataManagerError('unavailable', `The data manager answered in an unexpected shape: ${what}.`, {
    status: 200,
  });
}
