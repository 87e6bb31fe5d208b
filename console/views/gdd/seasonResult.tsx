import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { GddRecord } from '../../../shared/gdd/form/gddRecord.js';
import { readInsightFile } from '../../api/insights.js';
import { GddChart } from '../../charts/gddChart.js';
import { dayText } from '../../parts/dateText.js';
import { fileName, save } from '../../parts/download.js';
import { fieldNameOf, useFieldNames } from '../../parts/fieldNames.js';
import { Fault } from '../../parts/fault.js';
import { Icon } from '../../parts/icons.js';
import { DaysTable } from './daysTable.js';
import { cropName, dayWords, fieldOfRecord, figuresOf, unitOf, type Figure } from './season.js';
import { StageTable } from './stageTable.js';

/** A season as it was calculated: figures, chart, stages, and what to know before trusting them. */
export function SeasonResult({ record }: { readonly record: GddRecord }): JSX.Element {
  const [at, setAt] = useState(0);
  useEffect(() => {
    const today = record.daily.findIndex(({ date }) => date >= record.asOfDate);
    setAt(today > 0 ? today : record.daily.length - 1);
  }, [record]);
  useFieldNames([fieldOfRecord(record)]);
  const { method, asOfDate, gddStartDate, gddEndDate, temperatureUnit } = record;
  const limits = `${method.lower}${method.upper === null ? '' : ` to ${method.upper}`} °${temperatureUnit}`;
  return (
    <article class="season">
      <header class="season-head">
        <div>
          <h2>
            {fieldNameOf(fieldOfRecord(record))}: {cropName(record.crop)}
          </h2>
          <p>
            {dayText(gddStartDate)} to {dayText(gddEndDate)}
          </p>
          <p class="quiet">
            {method.name.toLowerCase()} method, {limits} · as of {dayText(asOfDate)}
          </p>
        </div>
        <SeasonFiles record={record} />
      </header>
      <dl class="season-figures">
        {figuresOf(record).map((figure) => (
          <BigFigure key={figure.name} {...figure} />
        ))}
      </dl>
      {record.incomplete === undefined ? null : (
        <p class="note">
          This result had to do without some weather and is wider for it; it is calculated again once that can be had.
        </p>
      )}
      <GddChart record={record} at={at} onRead={setAt} />
      <ReadDay record={record} at={at} />
      <ul class="dock-legend season-legend" aria-hidden="true">
        <li>
          <span class="dash" /> this season
        </li>
        {record.normal === undefined ? null : (
          <>
            <li>
              <span class="dash dash-normal" /> mean of {record.normal.years.join('–')}
            </li>
            <li>
              <span class="swatch" /> 8 of 10 years
            </li>
          </>
        )}
        <li>
          <span class="dot dot-stage" /> growth stage
        </li>
      </ul>
      <DaysTable record={record} at={at} />
      <StageTable record={record} />
      <Caution record={record} />
    </article>
  );
}

const BigFigure = ({ name, value, note, isLow = false }: Figure): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>
      <b class={isLow ? 'low' : ''}>{value}</b> <span>{note}</span>
    </dd>
  </div>
);

/** The day below the reader, in words; told to screen readers as it changes. */
function ReadDay({ record, at }: { readonly record: GddRecord; readonly at: number }): JSX.Element | null {
  const words = dayWords(record, at);
  if (words === undefined) return null;
  return (
    <p class="read-day figure" aria-live="polite">
      <b>{words.date}</b>
      <span>{words.gdd} that day</span>
      <span>
        <b>{words.sum}</b> {unitOf(record)} so far
      </span>
      {words.against === undefined ? null : (
        <span class={words.against.startsWith('−') ? 'low' : ''}>{words.against}</span>
      )}
      {words.temperatures === undefined ? null : <span>{words.temperatures}</span>}
      <span class="quiet">{words.source}</span>
    </p>
  );
}

const FILES = [
  { name: 'CSV', type: 'text/csv', ending: 'csv' },
  { name: 'SVG', type: 'image/svg+xml', ending: 'svg' },
  { name: 'JSON', type: 'application/json', ending: 'json' },
] as const;

/** Names the field, so that files of several fields can lie side by side. */
const seasonFileName = (record: GddRecord, ending: string): string =>
  fileName(fieldNameOf(fieldOfRecord(record)), cropName(record.crop), `${record.gddStartDate}.${ending}`);

function SeasonFiles({ record }: { readonly record: GddRecord }): JSX.Element {
  const [error, setError] = useState<unknown>();
  const take = (type: string, ending: string): void => {
    setError(undefined);
    readInsightFile(record.insightId, type).then((file) => {
      save(seasonFileName(record, ending), file);
    }, setError);
  };
  return (
    <div>
      <div class="row">
        {FILES.map(({ name, type, ending }) => (
          <button
            key={name}
            type="button"
            aria-label={`Download as ${name}`}
            onClick={() => {
              take(type, ending);
            }}
          >
            <Icon name="download" /> {name}
          </button>
        ))}
      </div>
      {error === undefined ? null : <Fault error={error} />}
    </div>
  );
}

function Caution({ record: { warnings, sources } }: { readonly record: GddRecord }): JSX.Element {
  const attributions = [...new Set(sources.map(({ attribution }) => attribution))];
  return (
    <section class="stack">
      {warnings.length === 0 ? null : (
        <>
          <h3>Before you trust it</h3>
          <ul class="warnings">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </>
      )}
      <h3>Sources</h3>
      <ul class="warnings quiet">
        {attributions.map((attribution) => (
          <li key={attribution}>{attribution}</li>
        ))}
      </ul>
    </section>
  );
}
