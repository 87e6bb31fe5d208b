/** Which call of the adapter an answer is for, and the ids it asks with. */
export type Reader = 'party' | 'farm' | 'field' | 'ingest' | 'scenes' | 'insight' | 'resource';

/** A made answer of a data manager: what it sends, and the fault that must be told of it. */
export interface MadeResource {
  readonly why: string;
  readonly reader: Reader;
  readonly args: readonly string[];
  readonly body: unknown;
  readonly fault?: string;
}

const stamps = {
  eTag: '00000000-0000-0000-0000-00000000abcd',
  createdDateTime: '2031-01-02T03:04:05Z',
  modifiedDateTime: '2031-01-02T03:04:06Z',
};
const signed = { ...stamps, createdBy: 'made-up', modifiedBy: 'made-up' };

const party = { id: 'party-of-nobody', name: 'Made-up party', status: 'Active', ...stamps };
const farm = { id: 'farm-of-nobody', partyId: 'party-of-nobody', name: 'Made-up farm', ...signed };
const ring = [
  [1, 2],
  [1, 2],
  [1.01, 2],
  [1.01, 2.01],
  [1, 2],
];
const field = { id: 'field-of-nobody', partyId: 'party-of-nobody', farmId: 'farm-of-nobody', ...signed };
const fieldArgs = ['party-of-nobody', 'field-of-nobody'];

const job = (status: string, more: object = {}): object => ({
  id: 'made-up-job',
  partyId: 'party-of-nobody',
  provider: 'SentinelHub',
  collection: 'sentinel-2-l2a',
  status,
  message: 'Made-up message',
  createdDateTime: '2031-01-02T03:04:05Z',
  ...more,
});
const jobOf = (why: string, status: string, more: object = {}): MadeResource => ({
  why: `an ingest ${why}`,
  reader: 'ingest',
  args: ['made-up-job'],
  body: job(status, more),
});

const fileOf = (name: string, link = `&filePath=made-up%2f${name.toLowerCase()}_10.tif`): object => ({
  fileLink: `https://nobody.farmbeats.example/scenes/downloadFiles?api-version=2023-11-01-preview${link}`,
  name,
  resolution: 10,
});

const scene = (id: string, more: object = {}): object => ({
  id,
  sceneDateTime: '2031-05-06T00:00:00Z',
  partyId: 'party-of-nobody',
  provider: 'SentinelHub',
  collection: 'sentinel-2-l2a',
  imageFormat: 'TIF',
  cloudCoverPercentage: 12.5,
  darkPixelPercentage: 0,
  imageFiles: [fileOf('B02'), fileOf('SCL')],
  eTag: '0000abcd',
  ...more,
});
const scenesOf = (why: string, body: unknown, fault?: string): MadeResource => ({
  why: `a page of scenes ${why}`,
  reader: 'scenes',
  args: [],
  body,
  ...(fault === undefined ? {} : { fault }),
});
const next = (query: string): object => ({ nextLink: `https://nobody.farmbeats.example/scenes?provider=x${query}` });

const insight = {
  id: 'made-up-insight',
  partyId: 'party-of-nobody',
  resourceId: 'field-of-nobody',
  resourceType: 'Field',
  modelId: 'partnerAgPowered.gdd',
  insightStartDateTime: '2031-01-02T03:04:05Z',
  insightEndDateTime: '2031-01-03T03:04:05Z',
  measurements: { madeUp: { unit: '°C·day', value: 1.5 } },
  ...stamps,
};

/** Answers of a data manager, as its versions write them and as they might be wrong. */
export const dataManagerAnswers: readonly MadeResource[] = [
  { why: 'a party', reader: 'party', args: ['party-of-nobody'], body: party },
  {
    why: 'a party with members of its own, keyed by anything',
    reader: 'party',
    args: ['PARTY-of-nobody'],
    body: { ...party, ...signed, properties: { 'made up': 'yes', 'a number': 2, '1': 'a digit' } },
  },
  {
    why: 'a party of which nothing else is told',
    reader: 'party',
    args: ['party-of-nobody'],
    body: { id: 'party-of-nobody', ...stamps, properties: {} },
  },
  {
    why: 'another party than asked for',
    reader: 'party',
    args: ['party-of-somebody'],
    body: party,
    fault: 'another id than asked for',
  },
  { why: 'a farm', reader: 'farm', args: ['party-of-nobody', 'farm-of-nobody'], body: farm },
  {
    why: 'a farm of before there were parties',
    reader: 'farm',
    args: ['party-of-nobody', 'farm-of-nobody'],
    body: { ...farm, partyId: undefined, createdBy: undefined, modifiedBy: undefined, farmerId: 'party-of-nobody' },
    fault: 'partyId is no text',
  },
  { why: 'a field without geometry', reader: 'field', args: fieldArgs, body: { ...field, name: 'Made-up field' } },
  {
    why: 'a field whose ring says its first point twice',
    reader: 'field',
    args: fieldArgs,
    body: {
      ...field,
      farmId: null,
      geometry: { type: 'Polygon', coordinates: [ring] },
      area: { unit: 'Acre', value: 1 },
    },
  },
  {
    why: 'a field of an open ring',
    reader: 'field',
    args: fieldArgs,
    body: { ...field, geometry: { type: 'Polygon', coordinates: [ring.slice(0, 4)] } },
    fault: 'a ring is not closed',
  },
  {
    why: 'a field of another party',
    reader: 'field',
    args: fieldArgs,
    body: { ...field, partyId: 'party-of-somebody' },
    fault: 'a resource of another party',
  },
  {
    why: 'a field without a farm or an author',
    reader: 'field',
    args: fieldArgs,
    body: { id: 'field-of-nobody', partyId: 'party-of-nobody', ...stamps },
  },
  jobOf('that was made', 'Created', { durationInSeconds: 0, createdDateTime: undefined }),
  jobOf('that waits, of before there were fields', 'Waiting', {
    boundaryId: 'made-up',
    source: 'Sentinel_2_L2A',
    collection: undefined,
  }),
  jobOf('that succeeded', 'Succeeded', {
    durationInSeconds: 1.5,
    lastActionDateTime: '2031-01-02T03:04:07Z',
    startTime: '2031-01-02T03:04:05Z',
    endTime: '2031-01-02T03:04:07Z',
  }),
  jobOf('that failed', 'Failed', { errorCode: 'MadeUp' }),
  { ...jobOf('without a status', ''), body: { ...job(''), status: undefined }, fault: 'status is no text' },
  scenesOf('of several files', { value: [scene('scene-1'), scene('scene-2', { itemId: 'S2B_MADE_UP' })] }),
  scenesOf('with a space before filePath', {
    value: [scene('scene-3', { imageFiles: [fileOf('B03', '& filePath=x')] })],
  }),
  scenesOf('of which one tells no clouds and no files', {
    value: [scene('scene-4', { cloudCoverPercentage: undefined, imageFiles: undefined, ndviMedianValue: 0.5 })],
  }),
  scenesOf('of before there were collections, and of nobody', {
    value: [scene('scene-9', { partyId: undefined, collection: undefined, eTag: undefined, source: 'Sentinel_2_L2A' })],
  }),
  scenesOf('that is empty', { value: [] }),
  scenesOf('that leads on by $skipToken', { value: [scene('scene-5')], ...next('&$skipToken=W21hZGUgdXBd') }),
  scenesOf('that leads on without a token', { value: [scene('scene-6')], ...next('') }, 'a next page without a token'),
  scenesOf('that is no list', { value: { 'scene-7': scene('scene-7') } }, 'value is no list'),
  scenesOf('without a day', { value: [scene('scene-8', { sceneDateTime: 'in May' })] }, 'a scene without a day'),
  { why: 'an insight', reader: 'insight', args: ['made-up-insight'], body: insight },
  {
    why: 'an insight of other measurements',
    reader: 'insight',
    args: ['made-up-insight'],
    body: { ...insight, measurements: { another: { value: 2 } } },
  },
  { why: 'an insight, of which its id is read', reader: 'resource', args: ['made-up-insight'], body: insight },
  {
    why: 'an insight of no measurements, of which its id is read',
    reader: 'resource',
    args: ['made-up-insight'],
    body: { ...insight, measurements: {} },
  },
  {
    why: 'an attachment',
    reader: 'resource',
    args: ['made-up-file'],
    body: { id: 'made-up-file', insightId: 'made-up-insight', partyId: 'party-of-nobody', ...stamps },
  },
  {
    why: 'an insight of another id',
    reader: 'insight',
    args: ['another'],
    body: insight,
    fault: 'another id than asked for',
  },
];
