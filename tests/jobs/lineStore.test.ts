import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { advanced, ingestLineOf, nameOf, workLineOf, type LineState, type Ticket } from '../../shared/jobs/line.js';
import { TableLineStore } from '../../shared/jobs/tableLineStore.js';
import { MemoryRows } from '../support/memoryRows.js';

const START = Date.parse('2026-06-15T12:00:00Z');

describe('the line store', () => {
  const store = new TableLineStore(new MemoryRows());
  const newLine = (): string => workLineOf({ tenant: randomUUID(), solution: 'partnerAgPowered.gdd' });
  const ticket = (jobId: string, askedAt = START): Ticket => ({
    tenant: 'tenant-a',
    solution: 'partnerAgPowered.gdd',
    jobId,
    askedAt,
  });

  /** Gives what is free, once. */
  async function given(line: string, places: number, gone: readonly Ticket[] = []): Promise<boolean> {
    const reading = await store.read(line, 50);
    const change = { places, checkAt: START + 1, gone: new Set(gone.map(nameOf)) };
    return store.advance(line, reading, advanced(reading.state, reading.tickets, change));
  }
  const stateOf = async (line: string): Promise<LineState> => (await store.read(line, 50)).state;
  const holdersOf = async (line: string): Promise<readonly string[]> =>
    (await stateOf(line)).holders.map(({ jobId }) => jobId);

  test('knows nobody in a line that nobody has asked for', async () => {
    expect(await store.read(newLine(), 5)).toEqual({
      state: { holders: [], turn: 0, turns: {} },
      etag: undefined,
      tickets: [],
    });
  });

  test('reads so many tickets in the order of asking, one for a ticket that was left twice', async () => {
    const line = newLine();
    for (const second of [3, 1, 2, 1, 4]) await store.ask(line, ticket(`job-${second}`, START + second * 1_000));
    const { tickets } = await store.read(line, 3);
    expect(tickets.slice(0, 3)).toEqual([1, 2, 3].map((second) => ticket(`job-${second}`, START + second * 1_000)));
  });

  test('takes a ticket back, and a second time without a fault', async () => {
    const line = newLine();
    await store.ask(line, ticket('a'));
    await store.withdraw(line, ticket('a'));
    expect((await store.read(line, 5)).tickets).toEqual([]);
    await expect(store.withdraw(line, ticket('a'))).resolves.toBeUndefined();
  });

  test('gives no place for a ticket that was taken back since the line was read', async () => {
    const line = newLine();
    await store.ask(line, ticket('a'));
    const reading = await store.read(line, 50);
    await store.withdraw(line, ticket('a'));
    const change = { places: 1, checkAt: START + 1, gone: new Set<string>() };
    expect(await store.advance(line, reading, advanced(reading.state, reading.tickets, change))).toBe(false);
    expect(await holdersOf(line)).toEqual([]);
  });

  test('gives a place and takes its ticket off, and keeps a line of its own for each', async () => {
    const [line, other] = [newLine(), ingestLineOf('https://Contoso.farmbeats.azure.net:443/x?y')];
    for (const jobId of ['a', 'b', 'c']) await store.ask(line, ticket(jobId, START));
    expect(await given(line, 2)).toBe(true);
    expect(await holdersOf(line)).toEqual(['a', 'b']);
    expect((await store.read(line, 5)).tickets).toEqual([ticket('c')]);
    expect((await stateOf(other)).holders).toEqual([]);
  });

  test('gives the last place to one of twenty who look at the same time', async () => {
    const line = newLine();
    for (const jobId of ['a', 'b']) await store.ask(line, ticket(jobId));
    const reading = await store.read(line, 50);
    const change = { places: 1, checkAt: START + 1, gone: new Set<string>() };
    const next = advanced(reading.state, reading.tickets, change);
    const answers = await Promise.all(Array.from({ length: 20 }, () => store.advance(line, reading, next)));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await holdersOf(line)).toEqual(['a']);
  });

  test('refuses a change by who has read the line before another changed it', async () => {
    const line = newLine();
    for (const jobId of ['a', 'b']) await store.ask(line, ticket(jobId));
    await given(line, 1);
    const old = await store.read(line, 50);
    expect(await given(line, 1, [ticket('a')])).toBe(true);
    const change = { places: 5, checkAt: START + 1, gone: new Set([nameOf(ticket('a'))]) };
    expect(await store.advance(line, old, advanced(old.state, old.tickets, change))).toBe(false);
    expect(await store.advance(line, old, { state: { holders: [], turn: 9, turns: {} }, spent: [] })).toBe(false);
    expect(await holdersOf(line)).toEqual(['b']);
  });

  test('lists the lines in which somebody has a place, and forgets one that the last has left', async () => {
    const line = newLine();
    const isListed = async (): Promise<boolean> => (await store.list()).some((entry) => entry.line === line);
    await store.ask(line, ticket('a'));
    expect(await isListed()).toBe(false);
    await given(line, 1);
    expect(await isListed()).toBe(true);
    expect((await store.list()).find((entry) => entry.line === line)?.state).toEqual(await stateOf(line));
    expect(await given(line, 1, [ticket('a')])).toBe(true);
    expect(await isListed()).toBe(false);
    expect(await store.read(line, 5)).toMatchObject({ etag: undefined, tickets: [] });
  });

  test('keeps a thousand places', async () => {
    const line = newLine();
    const holders = Array.from({ length: 1_000 }, (_, index) => ({
      tenant: 'tenant-a',
      solution: 'partnerAgPowered.gdd' as const,
      jobId: `${'long-name-'.repeat(10)}${index}`,
      checkAt: START,
    }));
    const reading = await store.read(line, 5);
    expect(await store.advance(line, reading, { state: { holders, turn: 1_000, turns: {} }, spent: [] })).toBe(true);
    expect((await stateOf(line)).holders).toHaveLength(1_000);
  });
});
