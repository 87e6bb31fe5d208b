import { signal } from '@preact/signals';
import type { Polygon, Position } from '../../../shared/geo/shapes/geoJson.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { serviceToday } from '../../api/clock.js';
import { cancelJob, type JobState } from '../../api/jobs.js';
import type { PickedLand } from '../../parts/landPicker.js';
import { credentials } from '../../session/session.js';
import type { GroundPicture } from '../../map/mapScene.js';
import {
  adjusted,
  candidatesOf,
  findBoundary,
  readScene,
  type Candidate,
  type FoundBoundary,
} from './boundarySearch.js';
import { recentFarms, rememberFarm, type FarmIds } from './recentFarms.js';
import { forgetAtSignOut } from '../../session/forgetting.js';

/** Days of imagery that are looked at unless others are wanted: the most that the service takes. */
const PERIOD_DAYS = 14;
/** What a field is called until it gets a name. */
const FIRST_NAME = 'New field';

/** What is looked for besides the place. */
export interface SearchSettings {
  readonly partyId: string;
  readonly farmId: string;
  readonly from: string;
  readonly to: string;
}

/** What lies under the outlines: the scene that the job read, the customer's own pictures, or the plain map. */
export type Ground = 'scene' | 'own' | 'map';

/** A search with what came of it. It stays when the view is left: nothing that was found is lost on the way back. */
export interface SearchState {
  /** The link that the view was opened by. */
  readonly link: string;
  readonly settings: SearchSettings;
  readonly place: Position | undefined;
  readonly name: string;
  /** The farm that was asked for last; the settings may have changed since. */
  readonly asked: FarmIds | undefined;
  readonly isBusy: boolean;
  /** The job's last state; undefined before the first question. */
  readonly job?: JobState | undefined;
  /** Whole seconds that the job took. */
  readonly seconds?: number | undefined;
  /** Why there is no answer, when there is none. */
  readonly error?: unknown;
  readonly found?: FoundBoundary | undefined;
  readonly candidates: readonly Candidate[];
  readonly chosen: string;
  readonly isAdjusting: boolean;
  readonly ground: Ground;
  /** The scene that the job read, once it is there. */
  readonly scene?: GroundPicture | undefined;
  /** Why it is not, when it can't be read. */
  readonly sceneError?: unknown;
}

function firstSettings(linked: FarmIds): SearchSettings {
  const farm = linked.partyId !== '' ? linked : (credentials.value?.farm ?? recentFarms()[0]);
  const today = serviceToday();
  return {
    partyId: farm?.partyId ?? '',
    farmId: farm?.farmId ?? '',
    from: addDays(today, -PERIOD_DAYS),
    to: today,
  };
}

const NOTHING_FOUND = {
  job: undefined,
  seconds: undefined,
  error: undefined,
  found: undefined,
  candidates: [],
  chosen: '0',
  isAdjusting: false,
  ground: 'scene',
  scene: undefined,
  sceneError: undefined,
} as const;

const firstState = (linked: FarmIds, link: string): SearchState => ({
  link,
  settings: firstSettings(linked),
  place: undefined,
  name: FIRST_NAME,
  asked: undefined,
  isBusy: false,
  ...NOTHING_FOUND,
});

const NO_FARM: FarmIds = { partyId: '', farmId: '' };
const linkOf = ({ partyId, farmId, fieldId }: PickedLand): string =>
  partyId === '' ? '' : JSON.stringify([partyId, farmId, fieldId]);

/** The search of the view. */
export const boundarySearch = signal<SearchState>(firstState(NO_FARM, ''));
let waiting = new AbortController();
let isBegun = false;

/** Changes parts of the search. */
export function change(changes: Partial<SearchState>): void {
  boundarySearch.value = { ...boundarySearch.value, ...changes };
}

/** Goes on with the search there is; anew for the first one, and for a link to another farm or field. */
export function beginBoundary(linked: PickedLand): void {
  const link = linkOf(linked);
  if (isBegun && (link === '' || link === boundarySearch.value.link)) return;
  waiting.abort();
  isBegun = true;
  boundarySearch.value = firstState(linked, link);
}

/** Forgets the search, for another customer. */
function forgetBoundary(): void {
  waiting.abort();
  isBegun = false;
  boundarySearch.value = firstState(NO_FARM, '');
}
forgetAtSignOut(forgetBoundary);

async function search(place: Position, signal: AbortSignal): Promise<void> {
  const begun = performance.now();
  const tell = (changes: Partial<SearchState>): void => {
    if (!signal.aborted) change(changes);
  };
  const { settings } = boundarySearch.value;
  try {
    rememberFarm(settings);
    const onState = (job: JobState): void => {
      tell({ job });
    };
    const { job, found } = await findBoundary({ ...settings, place }, { onState, signal });
    const seconds = Math.round((performance.now() - begun) / 1000);
    tell({ job, seconds, found, candidates: found === undefined ? [] : candidatesOf(found), isBusy: false });
    if (found?.picture !== undefined && job.insightId !== undefined) await loadScene(job.insightId, signal, tell);
  } catch (error) {
    tell({ error, isBusy: false });
  }
}

/** The outline stands without the scene that it was drawn on. */
async function loadScene(insightId: string, signal: AbortSignal, tell: typeof change): Promise<void> {
  try {
    tell({ scene: await readScene(insightId, signal) });
  } catch (sceneError) {
    tell({ sceneError });
  }
}

/** Asks for the boundary at a place; the wait for the one before ends. */
export function askBoundary(place: Position): void {
  waiting.abort();
  waiting = new AbortController();
  const { partyId, farmId } = boundarySearch.value.settings;
  change({ ...NOTHING_FOUND, place, name: FIRST_NAME, asked: { partyId, farmId }, isBusy: true });
  void search(place, waiting.signal);
}

/** Ends the job that is at work. */
export function cancelBoundary(): void {
  const jobId = boundarySearch.value.job?.id;
  // The search sees the job end; one that has ended meanwhile can't be cancelled, and needn't be.
  if (jobId !== undefined) cancelJob('smartBoundary', jobId).catch(() => undefined);
}

/** Takes the edge as it was dragged. Where every step was undone, it is the one that was found. */
export function adjustBoundary(geometry: Polygon): void {
  const { candidates, chosen, found } = boundarySearch.value;
  const asFound = found === undefined ? undefined : candidatesOf(found).find((one) => one.geometry === geometry);
  change({ candidates: candidates.map((one) => (one.id === chosen ? (asFound ?? adjusted(one, geometry)) : one)) });
}
