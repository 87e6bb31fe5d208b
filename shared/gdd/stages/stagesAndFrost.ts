import { type Frost, frostsOf, killingFrostOf, stagesUntil } from './frost.js';
import type { GddRecord } from '../form/gddRecord.js';
import type { SeasonSums, StageInput } from './stageDates.js';
import { stagesOfSeason } from './stagesOfSeason.js';
import { roundHalfUp, temperatureIn, type TemperatureUnit } from '../days/temperature.js';

/** Growth stages and frost of a season: a frost that kills the crop ends its stages. @param input.total of the crop */
export function stagesAndFrost(
  input: StageInput & { readonly total: SeasonSums },
): Pick<GddRecord, 'frost' | 'stages' | 'stageModel' | 'warnings'> {
  const { total, unit } = input;
  const { stages, model, warnings, isPlanted } = stagesOfSeason(input);
  const frosts = isPlanted ? frostsOf({ ...input, daily: total.series.daily, stages }) : [];
  return {
    frost: frosts.map(({ date, minC, source, severity }) => {
      return { date, tmin: roundHalfUp(temperatureIn(unit, minC)), source, severity };
    }),
    stages: stagesUntil(killingFrostOf(frosts), stages),
    ...(model && { stageModel: model }),
    warnings: [...warnings, ...frostWarning(frosts, unit)],
  };
}

/** One sentence: the frost that kills the crop, else the coldest night that comes near to killing it. */
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
