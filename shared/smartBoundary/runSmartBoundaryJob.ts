import type { Clock } from '../clock.js';
import type { IngestJob } from '../dataManager/scenes.js';
import type { TenantDataManager } from '../dataManager/tenantDataManager.js';
import { JobFailure } from '../errors/serviceError.js';
import type { Job } from '../jobs/job.js';
import type { JobWork, WorkOutcome } from '../jobs/jobWork.js';
import type { LicenceStore } from '../licence/imageryLicence.js';
import { measureEvent } from '../telemetry/metrics.js';
import { ingestFailure, nothingToSee, refusal, tooLate, unknownFarm } from './boundaryFailures.js';
import { boundaryInsight } from './boundaryInsight.js';
import { boundaryRecord } from './boundaryRecord.js';
import { downloadScenes } from './downloadScenes.js';
import type { FieldFinding, FieldSearch } from './findField.js';
import type { IngestSlots } from './ingestSlots.js';
import { findIngest, requireFarm, roundIds, startIngest, type IngestRound, type NoRoom } from './ingestStep.js';
import { deadlineOf, firstLook, isOverdue, pauseMs, stateOf, storedState, type LookState } from './lookState.js';
import { searchRegion } from './searchRegion.js';
import { smartBoundaryParametersOf } from './smartBoundaryParameters.js';

export interface SmartBoundaryJobPorts {
  readonly dataManagerFor: (tenant: string) => TenantDataManager;
  readonly licences: LicenceStore;
  readonly slots: IngestSlots;
  /** Reads and looks at scenes beside the event loop. */
  readonly findField: (search: FieldSearch) => Promise<FieldFinding>;
  readonly clock: Clock;
}

/** One look at a job: everything that stays the same while it lasts. */
interface Look {
  readonly ports: SmartBoundaryJobPorts;
  readonly job: Job;
  readonly insightId: string;
  readonly signal: AbortSignal;
}

/** How long a place for an ingest is kept without a look: four of the longest pauses. A cancelled job's falls free then. */
const SLOT_MS = 60_000;
/** Passes of the satellites that are looked at, by round: the larger region costs four times as much. */
const MOST_PASSES = [10, 4] as const;

/**
 * The work of a Smart Boundary job, look by look: a place among the tenant's ingests → search field → ingest → looks
 * at the ingest → scenes → prediction. Between the looks nobody waits: the job is put back with its phase.
 *
 * A field that reaches the edge of the search region is looked for once more in a larger one; when that round comes
 * to nothing the first answer counts.
 */
export function runSmartBoundaryJob(ports: SmartBoundaryJobPorts): JobWork {
  return async (job, insightId, signal) => {
    const look = { ports, job, insightId, signal };
    const state = stateOf(job);
    if (isOverdue(job, ports.clock.now().getTime())) throw tooLate(state.phase);
    return advance(look, state);
  };
}

async function advance(look: Look, state: LookState): Promise<WorkOutcome> {
  if (state.round === 0) return oneRound(look, state);
  try {
    return await oneRound(look, state);
  } catch (error) {
    if (!isFinal(error)) throw error;
    return oneRound(look, { phase: 'ingest', round: 0, mayGrow: false, looks: 0 });
  }
}

/** A failure that no further attempt mends, or a task that took more than it may. */
function isFinal(error: unknown): boolean {
  if (error instanceof JobFailure) return !error.fault.retryable;
  return error instanceof Error && error.name === 'TaskExhausted';
}

async function oneRound(look: Look, state: LookState): Promise<WorkOutcome> {
  const round = roundOf(look, state);
  const ingest = await ingestOf(look, state, round);
  if (ingest.status === 'no room') {
    return wait(look, { ...state, phase: 'slot' }, { before: state, leastMs: ingest.retryAfterSeconds * 1000 });
  }
  if (ingest.status === 'running') return wait(look, { ...state, phase: 'ingest' }, { before: state });
  await look.ports.slots.release(look.job.tenant, look.insightId);
  if (ingest.status !== 'succeeded') throw ingestFailure(ingest);
  return predict(look, state, round);
}

/** @throws JobFailure when the tenant doesn't own the party: nothing of it is read or written then */
function roundOf({ ports, job, insightId, signal }: Look, { round }: LookState): IngestRound {
  const parameters = smartBoundaryParametersOf(job.parameters);
  const { tenant, jobId } = job;
  const { dataManager, partyIds } = ports.dataManagerFor(tenant);
  if (partyIds !== undefined && !partyIds.includes(parameters.partyId)) throw unknownFarm(parameters);
  const region = searchRegion(parameters.pointOnSurface, round);
  return { dataManager, parameters, region, ...roundIds(insightId, round), tenant, jobId, signal };
}

/** The ingest of the round as it stands, started when there is none. */
async function ingestOf(look: Look, state: LookState, round: IngestRound): Promise<IngestJob | NoRoom> {
  const { slots, clock, licences } = look.ports;
  const known = state.phase === 'ingest' ? await findIngest(round) : undefined;
  if (known !== undefined && known.status !== 'running') return known;
  if (known === undefined && state.looks === 0) await requireFarm(round);
  const until = clock.now().getTime() + SLOT_MS;
  const hasSlot = await slots.take(look.job.tenant, look.insightId, until);
  // An ingest that runs without a place goes on all the same; the data manager's own limit decides.
  if (known !== undefined) return known;
  return hasSlot ? startIngest(round, licences) : { status: 'no room', retryAfterSeconds: 0 };
}

interface Pause {
  /** The state at the beginning of this look: pauses begin short again with each phase. */
  readonly before: LookState;
  readonly leastMs?: number;
}

function wait({ ports, job }: Look, state: LookState, { before, leastMs = 0 }: Pause): WorkOutcome {
  const next = { ...state, looks: state.phase === before.phase ? state.looks + 1 : 1 };
  const dueAt = ports.clock.now().getTime() + Math.max(leastMs, pauseMs({ ...next, looks: next.looks - 1 }));
  if (dueAt > deadlineOf(job)) throw tooLate(state.phase);
  return { kind: 'waiting', phase: state.phase, state: storedState(next), dueAt };
}

async function predict(look: Look, state: LookState, round: IngestRound): Promise<WorkOutcome> {
  const { ports, job, insightId } = look;
  const { parameters, region, fieldId } = round;
  const { scenes, passed } = await downloadScenes(round, MOST_PASSES[state.round]);
  const finding = await ports.findField({ grid: region.grid, point: parameters.pointOnSurface, scenes });
  const unused = [...passed, ...finding.passed];
  if (finding.mayGrow && state.mayGrow) return advance(look, { ...firstLook, round: 1, mayGrow: false });
  if (finding.answer === undefined) throw nothingToSee(parameters, unused);
  measureEvent('Boundary:Predicted', { ...finding.answer });
  if (finding.answer.outcome === 'refused') throw refusal(finding.answer);
  const record = boundaryRecord({
    insightId,
    jobId: job.jobId,
    parameters,
    prediction: finding.answer,
    passed: unused,
    region,
    fieldId,
    asOf: ports.clock.now(),
  });
  return { kind: 'done', insight: boundaryInsight(record, finding.picture, region.grid) };
}
