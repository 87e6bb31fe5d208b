import { fieldLimitRange } from '../../access/customers/customer.js';
import { parseRates } from '../../access/rates/rates.js';
import { text, url, wholeNumber, type Setting } from '../../kit/setting.js';
import { isDay } from '../../kit/validation/calendar.js';

const DEFAULT_RATES =
  'create=10/s:50,read=50/s:200,submit=10/min:10,list=10/s:20,sas=10/min:10,farmRead=50/s:200,farmWrite=20/s:100';
const SHORTEST_PEPPER_BYTES = 32;

/** @throws Error that says what the text must be, never what it is */
function peppers(value: string): ReadonlyMap<string, Uint8Array> {
  const parsed: unknown = JSON.parse(value);
  const entries = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [];
  const secrets = entries.map(([version, secret]: [string, unknown]): [string, Buffer] => [
    version,
    Buffer.from(typeof secret === 'string' ? secret : '', 'base64'),
  ]);
  const isRight = ([version, secret]: [string, Buffer]): boolean =>
    /^[1-9]\d{0,5}$/.test(version) && secret.length >= SHORTEST_PEPPER_BYTES;
  if (secrets.length > 0 && secrets.every(isRight)) return new Map(secrets);
  throw new Error('must be a JSON object: version (1, 2, …) → base64 of 32 bytes or more');
}

function day(value: string): string {
  if (!isDay(value)) throw new Error('must be a calendar day written YYYY-MM-DD');
  return value;
}

function onOrOff(value: string): boolean {
  if (value !== 'on' && value !== 'off') throw new Error('must be on or off');
  return value === 'on';
}

/** Settings of area C, and of the rates of all areas. */
export const enrollmentSettings = {
  IMAGERY_STORAGE__blobServiceUri: {
    meaning: 'Blob service of the imagery account.',
    example: 'https://fieldimagery.blob.core.windows.net',
    parse: url,
  },
  SAS_IDENTITY_CLIENT_ID: {
    meaning:
      "Client id of a second managed identity that may only read imagery and signs the storage access tokens; AZURE_CLIENT_ID's when it isn't set.",
    example: '4be2…',
    optional: true,
    parse: text,
  },
  API_KEY_PEPPERS: {
    meaning:
      'JSON by version: the secrets, base64 of 32 bytes or more, that stored access keys are made with (in Azure a Key Vault reference). The highest version makes new keys; an old one stays as long as keys name it.',
    example: '{"1":"base64…"}',
    parse: peppers,
  },
  DEFAULT_FIELD_LIMIT: {
    meaning: 'Most fields in one enrollment of a customer created without a limit of its own.',
    example: '250',
    fallback: '250',
    parse: wholeNumber(fieldLimitRange.least, fieldLimitRange.most),
  },
  ENROLLMENT_EARLIEST_START: {
    meaning: 'Earliest start date of a monitoring period.',
    example: '2016-11-01',
    fallback: '2016-11-01',
    parse: day,
  },
  ENROLLMENT_MAX_DAYS: {
    meaning: 'Most days of a monitoring period, both ends counted.',
    example: '1096',
    fallback: '1096',
    parse: wholeNumber(1, 3660),
  },
  ENROLLMENT_MAX_YEARS_AHEAD: {
    meaning: 'Most years from today to the end of a monitoring period.',
    example: '2',
    fallback: '2',
    parse: wholeNumber(0, 10),
  },
  RATE_LIMITS: {
    meaning: '`on` holds every caller to RATE_LIMIT_RATES, over all instances; `off` lets every call pass.',
    example: 'on',
    fallback: 'off',
    parse: onOrOff,
  },
  RATE_LIMIT_RATES: {
    meaning:
      'Calls by second or minute, and the burst, of creates, reads, submissions, lists, storage access, farm data read and written, scenes of the console (`scene`: 12 a minute unless named), commands (`operate`: 30).',
    example: DEFAULT_RATES,
    fallback: DEFAULT_RATES,
    parse: parseRates,
  },
} as const satisfies Record<string, Setting<unknown>>;
