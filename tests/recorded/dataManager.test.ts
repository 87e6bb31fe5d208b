import { describe, expect, test } from '@jest/globals';
import { DataManagerClient } from '../../shared/jobs/dataManager/dataManagerClient.js';
import { ManualClock } from '../support/manualClock.js';
import { expectFigures, reasonsOf, type Verdict } from './figures.js';
import { describeGenuine, recordedAnswer, recordedIn } from './genuine.js';
import { unmadeKinds } from './kinds.js';
import { dataManagerAnswers, type MadeResource, type Reader } from './made/dataManagerAnswers.js';

type Answered = Pick<MadeResource, 'reader' | 'args' | 'body'>;

const key = { partyId: 'party', modelId: 'model', resourceType: 'Farm', resourceId: 'farm' } as const;
const at = new Date('2031-01-01T00:00:00Z');
const query = {
  partyId: 'party',
  fieldId: 'field',
  from: '2031-01-01',
  to: '2031-12-31',
  collection: 'sentinel-2-l2a',
} as const;

/** The call of the adapter that such an answer is for. */
const call: Readonly<Record<Reader, (client: DataManagerClient, ...args: string[]) => Promise<unknown>>> = {
  party: (client, partyId = '') => client.getParty(partyId),
  farm: (client, partyId = '', farmId = '') => client.getFarm(partyId, farmId),
  field: (client, partyId = '', fieldId = '') => client.getField(partyId, fieldId),
  ingest: (client, jobId = '') => client.getSceneIngest(jobId),
  scenes: (client) => client.listScenes(query),
  insight: (client, insightId = '') =>
    client.putInsight({ ...key, insightId }, { modelVersion: '1', from: at, to: at, measurements: {} }),
  resource: (client, id = '') =>
    client.putInsightAttachment(
      { ...key, insightId: 'insight' },
      { id, name: 'x', contentType: 'x/x', data: new Uint8Array() },
    ),
};

/** What the adapter makes of the answer; a page behind a first one is empty. */
function read({ reader, args, body }: Answered): Promise<unknown> {
  const answers = [body];
  const client = new DataManagerClient({
    baseUrl: 'https://nobody.farmbeats.example',
    apiVersion: '2023-11-01-preview',
    getToken: () => Promise.resolve('token'),
    clock: new ManualClock(),
    fetch: () => Promise.resolve(Response.json(answers.shift() ?? { value: [] })),
  });
  return call[reader](client, ...args);
}

const verdictOf = (answered: Answered): Promise<Verdict> =>
  read(answered).then(
    () => 'read',
    (error: unknown) => (error as Error).message.replace(/^.*unexpected shape: |\.$/g, ''),
  );

const recorded = recordedIn('datamanager').map(({ file, reader, args = [] }) => ({
  why: file,
  reader: reader as Reader,
  args,
  body: recordedAnswer('datamanager', file),
}));

describeGenuine('answers of data managers', recordedIn('datamanager'), () => {
  test('are read and refused as counted', async () => {
    const verdicts = await Promise.all(recorded.map(verdictOf));
    expectFigures('data manager', 'genuine', verdicts);
    // The farm of 2021: its version knew farmers, not parties.
    expect(reasonsOf(verdicts)).toEqual({ 'partyId is no text': 1 });
  });

  test('name the file of every image, a space before filePath apart', async () => {
    const pages = recorded.filter(({ reader }) => reader === 'scenes');
    for (const page of pages) {
      const scenes = (await read(page)) as readonly { readonly files: readonly { readonly filePath: string }[] }[];
      const { value } = page.body as { readonly value: readonly { readonly imageFiles: readonly unknown[] }[] };
      expect(scenes.map(({ files }) => files.length)).toEqual(value.map(({ imageFiles }) => imageFiles.length));
      expect(scenes.flatMap(({ files }) => files).every(({ filePath }) => filePath.endsWith('.tif'))).toBe(true);
    }
  });

  test.each(Object.keys(call))('have no kind of value that the made ones for %s lack', (reader) => {
    const bodiesOf = (all: readonly Answered[]): unknown[] =>
      all.filter((one) => one.reader === reader).map(({ body }) => JSON.parse(JSON.stringify(body)) as unknown);
    expect(unmadeKinds(bodiesOf(recorded), bodiesOf(dataManagerAnswers))).toEqual([]);
  });
});

describe('contract: made answers of data managers', () => {
  test.each(dataManagerAnswers)('$why', async ({ fault, ...answered }) => {
    await expect(verdictOf(answered)).resolves.toBe(fault ?? 'read');
  });

  test('are read and refused as counted', async () => {
    expectFigures('data manager', 'made', await Promise.all(dataManagerAnswers.map(verdictOf)));
  });
});
