import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { functionTable } from '../../functions/functionTable.js';
import { sizes, sizeSays as readOf } from './sizes.js';

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
const [work = [], month = [], worst = []] = tables;

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

describe.each([
  { what: 'a thousand pieces of work', rows: work },
  { what: 'a month', rows: month },
  { what: 'the worst day', rows: worst },
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
    expect(rows.length).toBeGreaterThan(0);
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
  test('have the tick and the duties of sizes whose groups are not warm, and the grant that they share', () => {
    const memoryGb = sizes.map((size) => Number(readOf(size, 'instanceMemoryMB')) / 1024);
    const isWarm = sizes.map((size) => readOf(size, 'zoneRedundant') === 'true');
    const unlessWarm = (amounts: readonly number[]): readonly number[] =>
      amounts.map((amount, place) => (isWarm[place] === true ? 0 : amount));
    expect(amountsOf('tick')).toEqual(unlessWarm(memoryGb.map((gb) => gb * 730 * 60)));
    expect(amountsOf('duties')).toEqual(unlessWarm(memoryGb.map((gb) => gb * 3 * 730 * 12)));
    expect(amountsOf('free grant')).toEqual(unlessWarm(sizes.map(() => -100_000)));
  });
  test('have each warm instance of a queue ask it once a second', () => {
    const instances = sizes.map((size) =>
      readOf(size, 'zoneRedundant') === 'true' ? 2 * functionTable.queues.length : 0,
    );
    expect(amountsOf('queues asked')).toEqual(instances.map((count) => (count * 730 * 3600) / 10_000));
  });
  test('bill six requests of a job for a second each, and no more than the warm instances have', () => {
    const jobs = amountsOf('GDD jobs').map((thousands) => thousands * 1000);
    const most = sizes.map((size) => Number(readOf(size, 'alwaysReadyHttp')) * 4 * 730 * 3600);
    expect(amountsOf('requests')).toEqual(jobs.map((count, place) => Math.min(count * 6 * 4, most[place] ?? 0)));
    expect(amountsOf('jobs that overlap')[1]).toBe((jobs[1] ?? 0) * (8 - 2));
  });
  test('are bounded on the worst day by the instances of all groups, and by the quota of the region', () => {
    const perDay = sizes.map((size) => {
      const most = Number(readOf(size, 'maximumInstances')) * groups;
      return Math.min(most, 125) * (Number(readOf(size, 'instanceMemoryMB')) / 1024) * 86_400;
    });
    expect(worst[0]?.slice(2, 5).map(numberOf)).toEqual(perDay);
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
