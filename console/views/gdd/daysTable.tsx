import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { GddRecord } from '../../../shared/gdd/form/gddRecord.js';
import { daysOf, unitOf } from './season.js';

interface DaysTableProps {
  readonly record: GddRecord;
  /** Index of the day that is read in the chart. */
  readonly at: number;
}

/** Every day of a season in figures: what the chart shows, for those who read rather than look. */
export function DaysTable({ record, at }: DaysTableProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="season-days"
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
      }}
    >
      <summary>Table of all {record.days} days</summary>
      {isOpen ? <Days record={record} at={at} /> : null}
    </details>
  );
}

function Days({ record, at }: DaysTableProps): JSX.Element {
  const chosen = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    // Only the table moves: the page stays where the reader of the chart is.
    const [row, box] = [chosen.current, chosen.current?.closest('.table-box')];
    if (row === null || box == null) return;
    box.scrollTop = row.offsetTop - box.clientHeight / 2;
  }, [at]);
  const temperature = `°${record.temperatureUnit}`;
  const hasNormal = record.normal !== undefined;
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="Days of the season">
      <table class="table table-days">
        <caption>
          Degree-days and their sum in {unitOf(record)}, temperatures in {temperature}
        </caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" class="number">
              That day
            </th>
            <th scope="col" class="number">
              Sum
            </th>
            {hasNormal ? (
              <th scope="col" class="number">
                To normal
              </th>
            ) : null}
            <th scope="col" class="number">
              Lowest
            </th>
            <th scope="col" class="number">
              Highest
            </th>
            <th scope="col">Weather</th>
          </tr>
        </thead>
        <tbody>
          {daysOf(record).map(({ date, gdd, sum, against, lowest, highest, source }, index) => (
            <tr key={date} ref={index === at ? chosen : null} aria-current={index === at ? 'date' : undefined}>
              <th scope="row">{date}</th>
              <td class="number">{gdd}</td>
              <td class="number">{sum}</td>
              {hasNormal ? <td class="number">{against}</td> : null}
              <td class="number">{lowest}</td>
              <td class="number">{highest}</td>
              <td>{source}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
