import type { Clock } from '../../kit/clock.js';
import type { DataManager } from '../../jobs/dataManager/dataManager.js';
import { JobFailure } from '../../kit/errors/serviceError.js';
import type { Insight } from '../../jobs/insight/jobInsight.js';
import type { JobWork } from '../../jobs/steps/jobWork.js';
import { measureEvent } from '../../kit/telemetry/metrics.js';
import { nothingToSee, refusal } from './boundaryFailures.js';
import { boundaryInsight } from '../record/boundaryInsight.js';
import { boundaryRecord } from '../record/boundaryRecord.js';
import { readScenes } from './readScenes.js';
import type { Scenes } from '../../scenes/library/sceneLibrary.js';
import type { FieldFinding, FieldSearch } from './findField.js';
import { requireFarm, searchFieldIdOf, writeSearchField, type FarmSearch, type RegionSearch } from './searchField.js';
import { searchRegion, type Round } from '../stack/searchRegion.js';
import { smartBoundaryParametersOf } from '../form/smartBoundaryParameters.js';
import type { PassedScene } from '../stack/chosenScenes.js';

export interface SmartBoundaryJobPorts {
  readonly dataManagerFor: (tenant: string) => Promise<DataManager>;
  readonly scenes: Scenes;
  /** Predicts the field from the scenes, in the process beside the event loop. */
  readonly findField: (search: FieldSearch) => Promise<FieldFinding>;
  readonly clock: Clock;
}

/** Passes of the satellites that are used, by round: the larger region costs four times as much. */
const MOST_PASSES = [10, 4] as const;

/** What the scenes of a region show. */
interface Finding {
  readonly search: RegionSearch;
  readonly finding: FieldFinding;
  /** Scenes that were not used. */
  readonly passed: readonly PassedScene[];
}

/**
 * The work of a Smart Boundary job: search field → scenes → prediction.
 *
 * A field that reaches the edge of the search region is searched once more in a larger one; when that search fails, the
 * first answer counts.
 */
export function runSmartBoundaryJob({
  dataManagerFor,
  scenes: from,
  findField,
  clock,
}: SmartBoundaryJobPorts): JobWork<Insight> {
  return async (job, insightId, signal) => {
    const parameters = smartBoundaryParametersOf(job.parameters);
    const dataManager = await dataManagerFor(job.tenant);
    const farm: FarmSearch = { dataManager, parameters, jobId: job.jobId, signal };
    await requireFarm(farm);
    const findIn = async (round: Round): Promise<Finding> => {
      signal.throwIfAborted();
      const region = searchRegion(parameters.pointOnSurface, round);
      const search = { ...farm, region, fieldId: searchFieldIdOf(insightId, round) };
      await writeSearchField(search);
      const { scenes, passed } = await readScenes(from, search, MOST_PASSES[round]);
      const finding = await findField({ grid: region.grid, point: parameters.pointOnSurface, scenes });
      return { search, finding, passed: [...passed, ...finding.passed] };
    };
    const insightOf = (found: Finding): Insight => insightIn(found, insightId, clock.now());
    const first = await findIn(0);
    if (!first.finding.mayGrow) return { kind: 'done', insight: insightOf(first) };
    try {
      return { kind: 'done', insight: insightOf(await findIn(1)) };
    } catch (error) {
      if (!isFinal(error)) throw error;
      return { kind: 'done', insight: insightOf(first) };
    }
  };
}

/** A failure that no further attempt can mend, or a task that exceeded its memory or time. */
function isFinal(error: unknown): boolean {
  if (error instanceof JobFailure) return !error.fault.retryable;
  return error instanceof Error && error.name === 'TaskExhausted';
}

/** The insight that a finding is. @throws JobFailure when there is no field in it */
function insightIn({ search, finding, passed }: Finding, insightId: string, asOf: Date): Insight {
  const { parameters, region, fieldId, jobId } = search;
  const { answer, picture } = finding;
  if (answer === undefined) throw nothingToSee(parameters, passed);
  measureEvent('Boundary:Predicted', { ...answer });
  if (answer.outcome === 'refused') throw refusal(answer);
  const record = boundaryRecord({
    ...{ insightId, jobId, parameters, prediction: answer, passed, region, fieldId, picture, asOf },
  });
  return boundaryInsight(record, picture, region.grid);
}
