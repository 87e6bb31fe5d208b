import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { functionTable } from '../../functions/functionTable.js';

const page = readFileSync('docs/capacity.md', 'utf8');
const section = page.slice(page.indexOf('## What it costs'), page.indexOf('## What nobody has measured'));
const numberOf = (cell: string): number => Number(cell.replaceAll(/[$,*\s]/g, ''));

/** Rows of a table as cells, the heading and its line left out. */
const tables = section.split(/\n\n+/).flatMap((block) => {
  const lines = block.split('\n').filter((line) => line.startsWith('|'));
  return lines.length < 3
    ? []
    : [
        lines.slice(2).map((line) =>
          line
            .split('|')
            .slice(1, -1)
            .map((cell) => cell.trim()),
        ),
      ];
});
const [work = [], month = []] = tables;

/** What a row of the table costs: amounts, then dollars, as many of each as there are columns. */
function costsOf([, price = '', ...cells]: readonly string[]): {
  readonly computed: number[];
  readonly written: number[];
} {
  const half = cells.length / 2;
  const computed = cells.slice(0, half).map((amount) => numberOf(price) * numberOf(amount));
  return { computed, written: cells.slice(half).map(numberOf) };
}

/** Half a unit of the last digit that is written. */
const toleranceOf = (cell: string): number => 0.5 * 10 ** -(cell.replaceAll('*', '').split('.')[1]?.length ?? 0) + 1e-9;

const readOf = (size: string, member: string): string =>
  new RegExp(`\\b${member}: ([^\\n]+)`).exec(readFileSync(`infra/azure/${size}.bicepparam`, 'utf8'))?.[1] ?? '';

describe.each([
  { what: 'a thousand pieces of work', rows: work },
  { what: 'a month', rows: month },
])('the cost of $what', ({ rows }) => {
  test('is the amount times the price, in every row', () => {
    const faults = rows
      .filter(([, price]) => price !== '')
      .flatMap((row) => {
        const { computed, written } = costsOf(row);
        const cells = row.slice(-written.length);
        const wrong = computed.some(
          (cost, place) => Math.abs(cost - (written[place] ?? 0)) > toleranceOf(cells[place] ?? ''),
        );
        return wrong ? [row.join(' | ')] : [];
      });
    expect(rows.length).toBeGreaterThan(5);
    expect(faults).toEqual([]);
  });
  test('adds up to its sums', () => {
    const sums: number[] = [];
    for (const row of rows) {
      if (row[1] === '') {
        const written = row.slice(-sums.length);
        expect(
          written.map((cell, place) => Math.abs(numberOf(cell) - (sums[place] ?? 0)) <= toleranceOf(cell)),
        ).toEqual(sums.map(() => true));
      } else costsOf(row).computed.forEach((cost, place) => (sums[place] = (sums[place] ?? 0) + cost));
    }
  });
});

describe('the amounts of a month', () => {
  const sizes = ['dev', 'small', 'large'];
  const amountsOf = (name: string): readonly number[] =>
    month
      .find(([what = '']) => what.startsWith(name))!
      .slice(2, 5)
      .map(numberOf);
  const groups = 1 + functionTable.queues.length + functionTable.timers.length;

  test('keep two instances of each group of functions warm with zones, else those for HTTP', () => {
    expect(groups).toBe(10);
    const warm = sizes.map((size) => {
      const instances = readOf(size, 'zoneRedundant') === 'true' ? 2 * groups : Number(readOf(size, 'alwaysReadyHttp'));
      return instances * (Number(readOf(size, 'instanceMemoryMB')) / 1024) * 730 * 3600;
    });
    expect(amountsOf('always ready')).toEqual(warm);
  });
  test('ask from three places as often as the size says', () => {
    const asked = sizes.map((size) => {
      const minutes = Number(readOf(size, 'availabilityMinutes'));
      return minutes === 0 ? 0 : (3 * 730 * 60) / minutes;
    });
    expect(amountsOf('questions')).toEqual(asked);
  });
  test('have six endpoints and four zones where the network is closed, NAT where the address is fixed', () => {
    expect(amountsOf('private endpoints')).toEqual(
      sizes.map((size) => (readOf(size, 'mode') === "'closed'" ? 6 * 730 : 0)),
    );
    expect(amountsOf('private DNS zones')).toEqual(sizes.map((size) => (readOf(size, 'mode') === "'closed'" ? 4 : 0)));
    expect(amountsOf('NAT gateway')).toEqual(sizes.map((size) => (readOf(size, 'fixedOutbound') === 'true' ? 730 : 0)));
  });
  test('stay below the budget of the size', () => {
    const together = month.at(-1)!.slice(-3).map(numberOf);
    sizes.forEach((size, place) => {
      expect(together[place]).toBeLessThan(Number(readOf(size, 'monthlyBudget')));
    });
  });
  test('say what zones cost', () => {
    const [, , ready = 0] = amountsOf('always ready');
    const zones = ready * (1 - Number(readOf('large', 'alwaysReadyHttp')) / (2 * groups)) * 0.000004;
    expect(section).toContain(`zones are $${Math.round(zones)}`);
  });
});
