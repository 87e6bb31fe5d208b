import type { Frost } from './frost.js';
import { frostsOf, killingFrostOf, stagesUntil } from './frost.js';
import type { GddFrostRecord, GddRecord } from './gddRecord.js';
import type { StageInput } from './seasonStages.js';
import { stagesOfSeason } from './stagesOfSeason.js';
import type { TemperatureUnit } from './temperature.js';
import { roundHalfUp, temperatureIn } from './temperature.js';

export interface CropInput extends StageInput {
  /** Degree-days of the days by the crop's definition, °C·day. */
  readonly daily: readonly number[];
}

/** The parts of a record that tell of the crop itself. */
export type CropRecord = Pick<GddRecord, 'frost' | 'stages' | 'stageModel' | 'warnings'>;

/** Growth stages and frost of a season: a frost that kills the crop ends its stages. */
export function stagesAndFrost(input: CropInput): CropRecord {
  const { stages, model, warnings, isPlanted } = stagesOfSeason(input);
  const frosts = isPlanted ? frostsOf({ ...input, stages }) : [];
  return {
    frost: frosts.map((frost) => frostRecord(frost, input.unit)),
    stages: stagesUntil(killingFrostOf(frosts), stages),
    ...(model && { stageModel: model }),
    warnings: [...warnings, ...frostWarning(frosts, input.unit)],
  };
}

const frostRecord = ({ date, minC, source, severity }: Frost, unit: TemperatureUnit): GddFrostRecord => ({
  date,
  tmin: roundHalfUp(temperatureIn(unit, minC)),
  source,
  severity,
});

/** One sentence: the frost that kills the crop, else the coldest one that comes near to it. */
function frostWarning(frosts: readonly Frost[], unit: TemperatureUnit): string[] {
  const degrees = (celsius: number): string =>
    `${roundHalfUp(temperatureIn(unit, celsius), 1).toFixed(1).replace('-', '−')} °${unit}`;
  const killing = killingFrostOf(frosts);
  const basis = ({ source }: Frost): string => (source === 'FORECAST' ? 'is forecast for' : 'came on');
  if (killing !== undefined) {
    const rest = 'it ends the growth stages here; a stage beyond it is reached only if the crop survived.';
    return [`A killing frost of ${degrees(killing.minC)} ${basis(killing)} ${killing.date}: ${rest}`];
  }
  const near = frosts
    .filter(({ hitsCrop, isNearKilling }) => hitsCrop && isNearKilling)
    .toSorted((one, other) => one.minC - other.minC)[0];
  if (near === undefined) return [];
  const hollow = 'that is within a degree of what kills the crop, and hollows are colder than their grid cell.';
  return [`A night of ${degrees(near.minC)} ${basis(near)} ${near.date}: ${hollow}`];
}
