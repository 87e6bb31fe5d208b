import type { JSX } from 'preact';
import type { GddRecord, GddStageRecord } from '../../../shared/gdd/form/gddRecord.js';
import { shortDay, dayText } from '../../parts/dateText.js';
import { thresholdText } from './season.js';

const BASES: Readonly<Partial<Record<string, string>>> = { FORECAST: 'forecast', NORMAL: 'expected' };

function reachedText({ date, basis, dateIfSurvived }: GddStageRecord): string {
  if (date === null) return dateIfSurvived === undefined ? 'not by the last day' : 'ended by frost';
  const how = BASES[basis ?? ''];
  return how === undefined ? dayText(date) : `${dayText(date)}, ${how}`;
}

/** An end of the interval; a stage that is never reached has none. */
function endText({ date }: GddStageRecord, end: string | null): string {
  if (date === null) return '–';
  return end === null ? 'after the last day' : shortDay(end);
}

/** The growth stages of a season: what each takes, when it was reached, and the first and last day that it may be. */
export function StageTable({ record }: { readonly record: GddRecord }): JSX.Element | null {
  const { stages, stageModel } = record;
  if (stages.length === 0) return null;
  return (
    <section>
      <h3>Growth stages</h3>
      <div class="stage-box" tabIndex={0} role="region" aria-label="Table of growth stages">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Stage</th>
              <th scope="col" class="number">
                Threshold
              </th>
              <th scope="col">Reached</th>
              <th scope="col">First day</th>
              <th scope="col">Last day</th>
            </tr>
          </thead>
          <tbody>
            {stages.map((stage) => (
              <tr key={stage.code}>
                <th scope="row">
                  <b>{stage.code}</b> {stage.name}
                </th>
                <td class="number figure">{thresholdText(stage, record)}</td>
                <td>{reachedText(stage)}</td>
                <td class="figure">{endText(stage, stage.earliest)}</td>
                <td class="figure">{endText(stage, stage.latest)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="quiet">First and last day: in eight of ten seasons the stage begins between them.</p>
      {stageModel === undefined ? null : <p class="quiet">{stageModel.caution}</p>}
    </section>
  );
}
