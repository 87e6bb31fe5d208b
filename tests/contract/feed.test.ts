import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addDays } from '../../shared/kit/validation/calendar.js';
import { burgundyField, burgundyTile, writeBurgundyScene } from '../support/sceneFiles.js';
import { callWithKey, newCustomer, submit, untilIngested } from './enrollmentCalls.js';
import { tableOf } from './storage.js';

const directory = dirname(process.env['SERVICE_FILE'] ?? '');
const today = new Date().toISOString().slice(0, 10);
const [EARLIER, LATER] = [addDays(today, -4), addDays(today, -1)];
const FIELD = `field-${randomUUID().slice(0, 8)}`;

/** Shows a scene of a day in the catalogue, whole at once. */
async function publish(date: string): Promise<void> {
  const waiting = mkdtempSync(join(directory, 'waiting-'));
  const id = await writeBurgundyScene(waiting, date);
  renameSync(join(waiting, id), join(directory, 'scenes', id));
}

const feature = {
  type: 'Feature',
  properties: { field_id: FIELD },
  geometry: burgundyField,
};

/** Waits until the newest picture of the field is of a day. */
async function untilPictured(apiKey: string, date: string): Promise<void> {
  const deadline = Date.now() + 540_000;
  for (;;) {
    const { items } = (await callWithKey('/v1/fields', apiKey)).json as {
      readonly items: readonly { readonly newest_picture?: string | null }[];
    };
    if (items[0]?.newest_picture === date) return;
    if (Date.now() > deadline) throw new Error(`No picture of ${date} in nine minutes: ${JSON.stringify(items)}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Waits until a unit of the tile has made the images of a day, and nothing is left to do there. */
async function untilUnitDone(date: string): Promise<void> {
  const unit = `${burgundyTile}|${date}|`;
  const filter = `RowKey ge 'W|unit||${unit}' and RowKey lt 'W|unit||${burgundyTile}|${date}}'`;
  const isRendered = (): boolean =>
    readFileSync(join(directory, 'output.log'), 'utf8')
      .split('\n')
      .some((line) => line.includes('"Unit:Rendered"') && line.includes(`"${unit}`));
  const isOpen = async (): Promise<boolean> =>
    (await tableOf('work').listEntities({ queryOptions: { filter } }).next()).done !== true;
  const deadline = Date.now() + 540_000;
  while (!isRendered() || (await isOpen())) {
    if (Date.now() > deadline) throw new Error(`No unit of ${date} was done in nine minutes.`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

describe('a scene that the catalogue publishes while a field is monitored', () => {
  let apiKey: string;
  beforeAll(async () => {
    ({ apiKey } = await newCustomer());
    await publish(EARLIER);
    const period = { start_date: addDays(today, -6), end_date: addDays(today, 30), layers: [{ layer: 'ndvi' }] };
    const reply = await submit([feature], period, { apiKey });
    expect(reply.status).toBe(202);
    await untilIngested(reply.json.enrollment_id as string, apiKey);
    // From the search of the beginning: what is published later is for the feed.
    await untilPictured(apiKey, EARLIER);
  });

  test('becomes a picture by itself: the feed finds it, and a unit of its place makes it', async () => {
    await publish(LATER);
    await untilPictured(apiKey, LATER);
    await untilUnitDone(LATER);
  });
});
