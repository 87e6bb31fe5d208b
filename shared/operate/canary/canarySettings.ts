import { text, url, type Setting } from '../../kit/setting.js';

/** Setting `CANARY`: the service under test and the data that its checks use. */
export interface CanarySetting {
  readonly url: string;
  /** A party, a field and a farm of the tenant's data manager. */
  readonly partyId?: string;
  readonly fieldId?: string;
  readonly farmId?: string;
  /** Longitude and latitude in a field of which both the data manager and the catalogue have scenes. */
  readonly point?: readonly [number, number];
  /** Blob service of the imagery account when it is not `https://<account>.blob.core.windows.net`. */
  readonly blobEndpoint?: string;
}

const TEXTS = ['url', 'partyId', 'fieldId', 'farmId', 'blobEndpoint'];
const isPoint = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((member) => typeof member === 'number');

/** Checked without a schema: compiling one would slow every cold start. */
function canary(value: string): CanarySetting {
  const parsed = JSON.parse(value) as Record<string, unknown>;
  const isKnown = ([name, member]: [string, unknown]): boolean =>
    name === 'point' ? isPoint(member) : TEXTS.includes(name) && typeof member === 'string' && member !== '';
  if (typeof parsed['url'] !== 'string' || !Object.entries(parsed).every(isKnown)) {
    throw new Error('must be a JSON object: { url, partyId?, fieldId?, farmId?, point?: [longitude, latitude] }');
  }
  return { ...parsed, url: url(parsed['url']) };
}

/** Settings of the canary, which tests a service every quarter of an hour; without them it tests none. */
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
