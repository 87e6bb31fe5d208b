import type { JSX } from 'preact';
import type { ChartLine } from '../../charts/lineChart.js';
import { middleDay, shortDay } from '../../parts/dateText.js';

interface LineTableProps {
  readonly lines: readonly ChartLine[];
  readonly text: (value: number) => string;
  /** Whether a row is a day of one year. */
  readonly hasYears: boolean;
}

/** What the chart shows, in figures, the newest day first. */
export function LineTable({ lines, text, hasYears }: LineTableProps): JSX.Element {
  const dates = new Map(lines.flatMap(({ points }) => points.map(({ x, date }) => [x, date] as const)));
  const values = lines.map(({ points }) => new Map(points.map(({ x, value }) => [x, value])));
  const days = [...dates.keys()].sort((one, other) => other - one);
  return (
    <div class="table-box line-table" tabIndex={0} role="region" aria-label="The chart as a table">
      <table class="table table-days">
        <thead>
          <tr>
            <th scope="col">Day</th>
            {lines.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((x) => (
            <tr key={x}>
              <th scope="row">{(hasYears ? middleDay : shortDay)(dates.get(x) ?? '')}</th>
              {lines.map(({ name }, line) => {
                const value = values[line]?.get(x);
                return <td key={name}>{value === undefined ? '–' : text(value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
