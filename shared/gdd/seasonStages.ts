import type { GroundPoint } from '../weather/weatherSource.js';
import type { Crop } from './crops.js';
import type { SeriesInput } from './degreeDaySeries.js';
import type { StartEvent } from './gddParameters.js';
import type { SeasonSums, StageDates } from './stageDates.js';
import type { TemperatureUnit } from './temperature.js';

/** What the stages of a season follow from. */
export interface StageInput extends SeriesInput {
  readonly crop: Crop;
  readonly startEvent: StartEvent;
  readonly place: GroundPoint;
  readonly isBiasRemoved: boolean;
  /** The sums of the job itself: stages of the same definition rest on them. */
  readonly total?: SeasonSums;
  /** Unit that thresholds are told in. */
  readonly unit: TemperatureUnit;
}

/** The stages of a season; without a model and with the reason among the warnings where none can be told. */
export interface SeasonStages extends Partial<StageDates> {
  readonly stages: StageDates['stages'];
  readonly warnings: readonly string[];
  /** False where the first day is no likely planting date: no crop stands that a frost could hit. */
  readonly isPlanted: boolean;
}
