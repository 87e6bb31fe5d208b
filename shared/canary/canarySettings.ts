import { text, url, type Setting } from '../setting.js';

/** What the canary asks, and as whom, but for its token and its key. */
export interface CanarySetting {
  readonly url: string;
  readonly partyId?: string;
  readonly fieldId?: string;
  readonly farmId?: string;
  readonly point?: readonly [number, number];
  readonly blobEndpoint?: string;
}

const TEXTS = ['url', 'partyId', 'fieldId', 'farmId', 'blobEndpoint'];
const isPoint = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((member) => typeof member === 'number');

/** By hand, not by schema: this runs in every cold start, which must not wait for a validator. */
function canary(value: string): CanarySetting {
  const parsed = JSON.parse(value) as Record<string, unknown>;
  const isKnown = ([name, member]: [string, unknown]): boolean =>
    name === 'point' ? isPoint(member) : TEXTS.includes(name) && typeof member === 'string' && member !== '';
  if (typeof parsed['url'] !== 'string' || !Object.entries(parsed).every(isKnown)) {
    throw new Error('must be a JSON object: { url, partyId?, fieldId?, farmId?, point?: [longitude, latitude] }');
  }
  return { ...parsed, url: url(parsed['url']) };
}

/** The service that the canary looks at every quarter of an hour; none when absent. */
export const canarySettings = {
  CANARY: {
    meaning:
      'The service that the canary proves every quarter of an hour, as JSON: `url`, and of the tenant of our own identity `partyId`, `fieldId`, `farmId`, `point`.',
    example: '{"url":"https://func-fields.azurewebsites.net","point":[-115.5,32.8]}',
    optional: true,
    parse: canary,
  },
  CANARY_API_KEY: {
    meaning: 'Key of the customer that is there for the canary alone; without it enrollments are not checked.',
    example: 'pfs_…',
    optional: true,
    parse: text,
  },
} as const satisfies Record<string, Setting<unknown>>;
