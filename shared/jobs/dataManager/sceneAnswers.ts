import { isJsonObject } from '../../kit/json/json.js';
import { optionalNumber, optionalText, resourceAnswer, textOf, unexpected, type AnswerObject } from './answerParts.js';
import type { DataManagerScene, DataManagerSceneFile, IngestJob } from './scenes.js';

const statuses: Readonly<Record<string, IngestJob['status']>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
};

export function ingestOf(answer: unknown, jobId: string): IngestJob {
  const job = resourceAnswer(answer, jobId);
  return {
    id: textOf(job, 'id'),
    status: statuses[textOf(job, 'status').toLowerCase()] ?? 'running',
    ...optionalText(job, 'message'),
    ...optionalText(job, 'errorCode'),
  };
}

/** One page of scenes, and the query that asks for the next one; undefined on the last page. */
export interface ScenePage {
  readonly scenes: readonly DataManagerScene[];
  readonly next: Readonly<Record<string, string>> | undefined;
}

/**
 * A page of the list of scenes.
 *
 * The next page is asked for with our own query and the answer's token; an address in the answer is never followed.
 */
export function scenePageOf(answer: unknown): ScenePage {
  if (!isJsonObject(answer)) throw unexpected('no object');
  const value = answer['value'] ?? [];
  if (!Array.isArray(value)) throw unexpected('value is no list');
  return { scenes: value.flatMap((scene) => sceneOf(scene) ?? []), next: nextOf(answer) };
}

function nextOf({ nextLink, skipToken }: AnswerObject): ScenePage['next'] {
  if ((nextLink ?? '') === '' && (skipToken ?? '') === '') return undefined;
  if (typeof skipToken === 'string' && skipToken !== '') return { skipToken };
  const token = typeof nextLink === 'string' ? queryOf(nextLink, ['skipToken', '$skipToken']) : undefined;
  if (token === undefined) throw unexpected('a next page without a token');
  return { skipToken: token };
}

/** Undefined for a scene without an id or a day, which the page then lacks. */
function sceneOf(value: unknown): DataManagerScene | undefined {
  if (!isJsonObject(value)) throw unexpected('a scene is no object');
  const { id, sceneDateTime } = { ...optionalText(value, 'id'), ...optionalText(value, 'sceneDateTime') };
  if (id === undefined || sceneDateTime === undefined) return undefined;
  const date = sceneDateTime.slice(0, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw unexpected('a scene without a day');
  const cloudCoverPercent = optionalNumber(value, 'cloudCoverPercentage');
  const files: readonly unknown[] = Array.isArray(value['imageFiles']) ? value['imageFiles'] : [];
  return {
    id,
    date,
    ...optionalText(value, 'itemId'),
    ...(cloudCoverPercent === undefined ? {} : { cloudCoverPercent }),
    files: files.flatMap((file) => fileOf(file) ?? []),
  };
}

/** Undefined for a file without a name or a path, which the scene then lacks. */
function fileOf(value: unknown): DataManagerSceneFile | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, resolution, fileLink } = value;
  if (typeof name !== 'string' || typeof fileLink !== 'string') return undefined;
  const filePath = queryOf(fileLink, ['filePath']);
  if (filePath === undefined || filePath === '') return undefined;
  return { name, resolution: typeof resolution === 'number' ? resolution : DEFAULT_RESOLUTION, filePath };
}

/** Metres, for a file that names none. */
const DEFAULT_RESOLUTION = 10;

/** The value of the first of these query parameters that an address has; spaces around names are ignored. */
function queryOf(address: string, names: readonly string[]): string | undefined {
  if (!URL.canParse(address, 'https://unknown.invalid')) return undefined;
  const { searchParams } = new URL(address, 'https://unknown.invalid');
  const parameters = new Map([...searchParams].reverse().map(([name, value]) => [name.trim(), value]));
  return names.map((name) => parameters.get(name)).find((value) => value !== undefined);
}
