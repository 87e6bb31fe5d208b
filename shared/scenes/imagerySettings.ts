import { text, url, wholeNumber, type Setting } from '../kit/setting.js';

/** The catalogues the service knows; named in this small file because every cold start loads the settings. */
const CATALOGUES = ['earth-search', 'planetary-computer'] as const;
export type Catalogue = (typeof CATALOGUES)[number];

/** Hosts of both catalogues and of the files they name. */
const KNOWN_HOSTS = [
  'earth-search.aws.element84.com',
  'sentinel-cogs.s3.us-west-2.amazonaws.com',
  'e84-earth-search-sentinel-data.s3.us-west-2.amazonaws.com',
  'planetarycomputer.microsoft.com',
  'sentinel2l2a01.blob.core.windows.net',
].join(',');

function catalogue(value: string): Catalogue {
  const found = CATALOGUES.find((name) => name === value);
  if (found === undefined) throw new Error(`must be ${CATALOGUES.join(' or ')}`);
  return found;
}

function hosts(value: string): readonly string[] {
  const list = value.split(',').map((host) => text(host.trim().toLowerCase()));
  if (list.every((host) => /^[a-z0-9.-]+(:\d{1,5})?$/.test(host))) return list;
  throw new Error('must be host names separated by commas');
}

/** Settings of the processing half of area C. */
export const imagerySettings = {
  IMAGERY_SOURCE: {
    meaning: 'Catalogue the scenes come from: `earth-search` or `planetary-computer`.',
    example: 'planetary-computer',
    fallback: 'earth-search',
    parse: catalogue,
  },
  EARTH_SEARCH_URL: {
    meaning: 'STAC API of Earth Search.',
    example: 'https://earth-search.aws.element84.com/v1',
    fallback: 'https://earth-search.aws.element84.com/v1',
    parse: url,
  },
  PLANETARY_COMPUTER_URL: {
    meaning: 'API of the Planetary Computer, with its STAC and SAS below.',
    example: 'https://planetarycomputer.microsoft.com/api',
    fallback: 'https://planetarycomputer.microsoft.com/api',
    parse: url,
  },
  IMAGERY_HOSTS: {
    meaning:
      'The only hosts that catalogues and their files are fetched from, separated by commas; with a port for loopback addresses alone.',
    example: 'earth-search.aws.element84.com,sentinel-cogs.s3.us-west-2.amazonaws.com',
    fallback: KNOWN_HOSTS,
    parse: hosts,
  },
  IMAGERY_FEED_SECONDS: {
    meaning: 'Seconds from one question to the catalogue what is new to the next; counted from midnight UTC.',
    example: '300',
    fallback: '300',
    parse: wholeNumber(1, 3_600),
  },
  IMAGERY_MIN_COVERAGE_PERCENT: {
    meaning: 'Share of a field that a scene must have data for.',
    example: '95',
    fallback: '95',
    parse: wholeNumber(1, 100),
  },
  IMAGERY_MIN_CLEAR_PERCENT: {
    meaning: 'Share of a field that must be clear for ndvi, vegetation and true-color.',
    example: '60',
    fallback: '60',
    parse: wholeNumber(0, 100),
  },
  IMAGERY_MIN_CLEAR_SCOUTING_PERCENT: {
    meaning: 'Share of a field that must be clear for scouting, which compares its parts.',
    example: '80',
    fallback: '80',
    parse: wholeNumber(0, 100),
  },
  IMAGERY_MAX_SCENE_CLOUD_PERCENT: {
    meaning: 'Cloud over a whole scene above which it is not opened.',
    example: '95',
    fallback: '95',
    parse: wholeNumber(0, 100),
  },
  IMAGERY_RETENTION_DAYS: {
    meaning: 'Days after they were made at which the images of a field and day are deleted.',
    example: '1100',
    fallback: '1100',
    parse: wholeNumber(31, 36_500),
  },
  IMAGERY_RENDERS_PER_CUSTOMER: {
    meaning: 'Months of one customer that are looked through at a time, over all instances: nobody delays another.',
    example: '2',
    fallback: '2',
    parse: wholeNumber(1, 100),
  },
} as const satisfies Record<string, Setting<unknown>>;
