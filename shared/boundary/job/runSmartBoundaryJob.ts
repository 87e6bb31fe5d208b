import type { Clock } from '../../kit/clock.js';
import type { IngestJob } from '../../jobs/dataManager/scenes.js';
import { mayName, type TenantDataManager } from '../../jobs/dataManager/tenantDataManager.js';
import { JobFailure } from '../../kit/errors/serviceError.js';
import { workOf, type Job } from '../../jobs/job.js';
import type { Insight } from '../../jobs/insight/jobInsight.js';
import type { JobWork, WorkOutcome } from '../../jobs/steps/jobWork.js';
import type { LicenceStore } from '../../access/licence/imageryLicence.js';
import { measureEvent } from '../../kit/telemetry/metrics.js';
import type { Lanes } from '../../work/lanes/lanes.js';
import { ingestFailure, nothingToSee, refusal, tooLate, unknownFarm } from './boundaryFailures.js';
import { boundaryInsight } from '../record/boundaryInsight.js';
import { boundaryRecord } from '../record/boundaryRecord.js';
import { downloadScenes } from './downloadScenes.js';
import type { FieldFinding, FieldSearch } from './findField.js';
import { findIngest, requireFarm, roundIds, startIngest, type IngestRound, type NoRoom } from './ingestStep.js';
import { deadlineOf, firstLook, isOverdue, lookPauseMs, stateOf, placeOfLook, type LookState } from './lookState.js';
import { searchRegion } from '../stack/searchRegion.js';
import { smartBoundaryParametersOf } from '../form/smartBoundaryParameters.js';

export interface SmartBoundaryJobPorts {
  readonly dataManagerFor: (tenant: string) => Promise<TenantDataManager>;
  readonly licences: LicenceStore;
  readonly lanes: Pick<Lanes, 'take' | 'leave'>;
  /** The lane of the ingests of a tenant's data manager; undefined where scenes need no ingest. */
  readonly ingestsLaneOf: (tenant: string) => Promise<string | undefined>;
  /** Predicts the field from the scenes, in the process beside the event loop. */
  readonly findField: (search: FieldSearch) => Promise<FieldFinding>;
  readonly clock: Clock;
}

/** What stays the same during one look at a job. */
interface Look {
  readonly ports: SmartBoundaryJobPorts;
  readonly job: Job;
  readonly insightId: string;
  readonly signal: AbortSignal;
  /** The lane of the ingests of the data manager; undefined where a slot is always free. */
  readonly lane: string | undefined;
}

/** Passes of the satellites that are used, by round: the larger region costs four times as much. */
const MOST_PASSES = [10, 4] as const;

/**
 * The work of a Smart Boundary job, look by look: a slot among the data manager's ingests → search field → ingest → looks
 * at the ingest → scenes → prediction. Between two looks the job is stored with its state and nothing waits.
 *
 * A field that reaches the edge of the search region is searched once more in a larger one; when that round fails, the
 * first answer counts.
 */
export function runSmartBoundaryJob(ports: SmartBoundaryJobPorts): JobWork<Insight> {
  return async (job, insightId, signal) => {
    const state = stateOf(job);
    if (isOverdue(state, ports.clock.now().getTime())) throw tooLate(state.phase);
    const look = { ports, job, insightId, signal, lane: await ports.ingestsLaneOf(job.tenant) };
    try {
      return await advance(look, state);
    } catch (error) {
      // A later attempt asks for a slot again. An attempt that has lost the job leaves the slot to the one that has it.
      if (!signal.aborted) await leave(look);
      throw error;
    }
  };
}

const leave = async ({ ports, job, lane }: Look): Promise<void> => {
  if (lane !== undefined) await ports.lanes.leave(lane, workOf(job));
};

async function advance(look: Look, state: LookState): Promise<WorkOutcome<Insight>> {
  if (state.round === 0) return oneRound(look, state);
  try {
    return await oneRound(look, state);
  } catch (error) {
    if (!isFinal(error)) throw error;
    return oneRound(look, { phase: 'ingest', round: 0, mayGrow: false });
  }
}

/** A failure that no further attempt can mend, or a task that exceeded its memory or time. */
function isFinal(error: unknown): boolean {
  if (error instanceof JobFailure) return !error.fault.retryable;
  return error instanceof Error && error.name === 'TaskExhausted';
}

async function oneRound(look: Look, before: LookState): Promise<WorkOutcome<Insight>> {
  const round = await roundOf(look, before);
  const { ingest, state } = await ingestOf(look, before, round);
  if (ingest.status === 'no slot') {
    return {
      kind: 'parked',
      place: placeOfLook({ ...state, phase: 'slot' }),
      lane: ingest.lane,
      askedAt: ingest.askedAt,
    };
  }
  if (ingest.status === 'no room') return wait(look, { ...state, phase: 'slot' }, ingest.retryAfterSeconds * 1000);
  if (ingest.status === 'running') return wait(look, { ...state, phase: 'ingest' }, 0);
  await leave(look);
  if (ingest.status !== 'succeeded') throw ingestFailure(ingest);
  return predict(look, state, round);
}

/** @throws JobFailure when the tenant doesn't own the party, before anything of the party is read or written */
async function roundOf({ ports, job, insightId, signal }: Look, { round }: LookState): Promise<IngestRound> {
  const parameters = smartBoundaryParametersOf(job.parameters);
  const { tenant, jobId } = job;
  const reached = await ports.dataManagerFor(tenant);
  if (!mayName(reached, parameters.partyId)) throw unknownFarm(parameters);
  const region = searchRegion(parameters.pointOnSurface, round);
  const { dataManager } = reached;
  return { dataManager, parameters, region, ...roundIds(insightId, round), tenant, jobId, signal };
}

/** The job waits in the lane for a slot. */
interface NoSlot {
  readonly status: 'no slot';
  readonly lane: string;
  readonly askedAt: number;
}

interface IngestLook {
  readonly ingest: IngestJob | NoRoom | NoSlot;
  readonly state: LookState;
}

/** The ingest of the round; started when there is none and the job has a slot. */
async function ingestOf(look: Look, state: LookState, round: IngestRound): Promise<IngestLook> {
  const { lanes, clock, licences } = look.ports;
  const known = state.phase === 'ingest' ? await findIngest(round) : undefined;
  if (known !== undefined) return { ingest: known, state };
  if (state.since === undefined) {
    await requireFarm(round);
    const askedAt = clock.now().getTime();
    const { lane } = look;
    const hasSlot = lane === undefined || (await lanes.take(lane, { ...workOf(look.job), askedAt }));
    if (!hasSlot) return { ingest: { status: 'no slot', lane, askedAt }, state };
  }
  const placed = { ...state, since: state.since ?? clock.now().getTime() };
  return { ingest: await startIngest(round, licences), state: placed };
}

/** @param leastMs shortest pause, asked for by the data manager */
function wait({ ports, lane }: Look, state: LookState, leastMs: number): WorkOutcome<Insight> {
  const now = ports.clock.now().getTime();
  const since = state.since ?? now;
  const dueAt = now + Math.max(leastMs, lookPauseMs(now - since));
  if (dueAt > deadlineOf(since)) throw tooLate(state.phase);
  return {
    kind: 'waiting',
    place: placeOfLook({ ...state, since }),
    dueAt,
    ...(lane === undefined ? {} : { slotIn: lane }),
  };
}

async function predict(look: Look, state: LookState, round: IngestRound): Promise<WorkOutcome<Insight>> {
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
    picture: finding.picture,
    asOf: ports.clock.now(),
  });
  return { kind: 'done', insight: boundaryInsight(record, finding.picture, region.grid) };
}
