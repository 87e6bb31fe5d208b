import { deterministicId, isSameId } from '../../../../../shared/kit/ids.js';
import type { Reply } from '../../http/exchange.js';
import { pageInOrder, refuseUnknownQuery } from '../paging.js';
import { type Call, invalid, type Route, unknown } from '../wire.js';
import { foundScenes } from './foundScenes.js';
import { type IngestJob, IngestJobs } from './ingestJobs.js';
import type { SceneContext } from './ingestRoutes.js';
import { sceneFile } from './sceneFiles.js';
import type { LibraryScene, SceneLibrary } from './sceneLibrary.js';

const REQUIRED = ['provider', 'partyId', 'associatedResourceId', 'associatedResourceType', 'collection'];
const OPTIONAL = [
  'startDateTime',
  'endDateTime',
  'maxCloudCoveragePercentage',
  'imageNames',
  'imageResolutions',
  'imageFormats',
  'maxPageSize',
  'skipToken',
];

/** The ingested scenes of a field, newest first, and their files. */
export function sceneRoutes(context: SceneContext): readonly Route[] {
  const jobs = new IngestJobs(context.store, context.now);
  return [
    { method: 'GET', path: '/scenes', answer: (call) => listScenes(call, jobs, context) },
    { method: 'GET', path: '/scenes/downloadFiles', answer: (call) => download(call, jobs, context) },
  ];
}

async function listScenes(call: Call, jobs: IngestJobs, context: SceneContext): Promise<Reply> {
  refuseUnknownQuery(call, [...REQUIRED, ...OPTIONAL]);
  const query = call.exchange.url.searchParams;
  for (const name of REQUIRED) if (!query.has(name)) throw invalid(`The query parameter ${name} is missing.`);
  if (query.get('associatedResourceType') !== 'Field') throw invalid('associatedResourceType must be Field.');
  const scenes = new Map<string, Shown>();
  for (const job of jobs.list().filter((each) => matches(each, query) && jobs.statusOf(each) === 'Succeeded')) {
    for (const shown of await scenesOf(job, context.library, call.exchange.url.origin)) {
      if (isWithin(shown, query)) scenes.set(shown.id, shown);
    }
  }
  const newestFirst = [...scenes.values()].sort((a, b) => (a.sceneDateTime < b.sceneDateTime ? 1 : -1));
  const isForeign = newestFirst.some(({ imageFiles }) => imageFiles[0]?.fileLink?.includes('foreign') === true);
  return pageInOrder(call, newestFirst, isForeign ? 'https://scenes.foreign.example' : undefined);
}

/** The scenes of an ingest, oldest first. */
async function scenesOf(job: IngestJob, library: SceneLibrary, ownOrigin: string): Promise<readonly Shown[]> {
  const origin = job.oddity === 'foreignLinks' ? 'https://scenes.foreign.example' : ownOrigin;
  const scenes = (await foundScenes(job, library)).map((scene) => shownScene(job, scene, origin));
  return job.oddity === 'oddFiles' ? [...scenes.slice(0, -1), ...scenes.slice(-1).map(withOddFiles)] : scenes;
}

function matches({ request }: IngestJob, query: URLSearchParams): boolean {
  return (
    isSameId(request.partyId, query.get('partyId') ?? '') &&
    isSameId(request.fieldId, query.get('associatedResourceId') ?? '') &&
    request.provider === query.get('provider') &&
    request.collection === query.get('collection')
  );
}

type WholeScene = ReturnType<typeof shownScene>;
type ShownFile = Partial<Omit<WholeScene['imageFiles'][number], 'fileLink'>> & { readonly fileLink?: string | null };
type Shown = Omit<WholeScene, 'imageFiles'> & { readonly imageFiles: readonly ShownFile[] };

function isWithin({ sceneDateTime, cloudCoverPercentage }: Shown, query: URLSearchParams): boolean {
  const from = query.get('startDateTime') ?? '';
  const to = query.get('endDateTime') ?? '9999';
  const most = Number(query.get('maxCloudCoveragePercentage') ?? 100);
  return sceneDateTime >= from && sceneDateTime <= to && cloudCoverPercentage <= most;
}

function shownScene(job: IngestJob, scene: LibraryScene, origin: string) {
  const { partyId, fieldId, provider, collection, images } = job.request;
  return {
    id: deterministicId('scene', job.id, scene.key),
    sceneDateTime: `${scene.date}T00:00:00Z`,
    provider,
    collection,
    partyId,
    associatedResource: { type: 'Field', id: fieldId },
    itemId: scene.itemId,
    cloudCoverPercentage: scene.cloudCoverPercent,
    imageFormat: 'TIF',
    imageFiles: scene.images
      .filter((image) => images.includes(image))
      .map((image) => ({
        name: image,
        resolution: 10,
        fileLink: fileLink(origin, `${job.id}/${scene.key}/${image}_10.tif`, job.oddity === 'spacedNames'),
      })),
  };
}

/** A scene of whose files one has no link and one no name. */
function withOddFiles(scene: Shown): Shown {
  const imageFiles = scene.imageFiles.map(({ fileLink: link, ...file }) =>
    file.name === 'B08' ? file : { ...file, fileLink: link },
  );
  return { ...scene, imageFiles: [...imageFiles, { resolution: 10, fileLink: null }] };
}

/** The product writes the slashes of the path as lower-case `%2f`. */
function fileLink(origin: string, filePath: string, hasSpaces: boolean): string {
  const name = hasSpaces ? ' filePath ' : 'filePath';
  return `${origin}/scenes/downloadFiles?api-version=2023-11-01-preview&${name}=${filePath.replaceAll('/', '%2f')}`;
}

async function download(call: Call, jobs: IngestJobs, context: SceneContext): Promise<Reply> {
  refuseUnknownQuery(call, ['filePath']);
  const filePath = call.exchange.url.searchParams.get('filePath') ?? '';
  const [, jobId = '', key = '', image = ''] = /^([^/]+)\/([^/]+)\/([A-Z0-9]+)_10\.tif$/.exec(filePath) ?? [];
  const job = jobs.find(jobId);
  const file = job && (await sceneFile(job, { key, image }, context.library));
  if (file === undefined) throw unknown(`The file ${filePath}`);
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: file };
}
