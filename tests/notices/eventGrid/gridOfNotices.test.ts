import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { upkeepNotices } from '../../../functions/upkeep/notices.js';
import { type EventGrid, startEventGrid } from '../../../infra/local/standIns/eventGrid.js';
import { keptTables } from '../../../shared/operate/backup/tableKinds.js';
import type { Config } from '../../../shared/wiring/settings/config.js';
import { GRID, workOfGrid } from '../../../shared/notices/eventGrid/gridKind.js';
import { NOTICE, noticeWork } from '../../../shared/notices/log/outbox.js';
import { ownerOfCustomer, ownerOfTenant, type NoticeOwner } from '../../../shared/notices/log/noticeOwner.js';
import type { Services } from '../../../shared/wiring/services.js';
import {
  noticeKinds,
  noticeServices,
  tellersOf,
  type NoticeWorkSurroundings,
} from '../../../shared/wiring/areas/noticeServices.js';
import type { TableName } from '../../../shared/storage/names.js';
import { disableWebhook } from '../../../shared/notices/sending/disableWebhook.js';
import { eraseNotices, noticeBelongings } from '../../../shared/notices/managing/noticeBelongings.js';
import { CountedRows } from '../log/countedRows.js';
import { aNotice } from '../log/noticesUnderTest.js';
import { ManualClock } from '../../support/manualClock.js';
import { WorkInMemory } from '../../support/workInMemory.js';

const DAY_MS = 86_400_000;
const contoso = ownerOfCustomer('contoso');
/** A tenant whose id is the name of a customer. */
const namesake = ownerOfTenant('contoso');

let grid: EventGrid;
beforeAll(async () => {
  grid = await startEventGrid();
});
afterAll(() => grid.close());

/** The service's own work on notices, over storage in memory and a topic that listens. */
class NoticesWithGrid {
  readonly clock = new ManualClock('2026-05-04T06:00:00Z');
  readonly tables = new Map<TableName, CountedRows>();
  readonly kernel = new WorkInMemory(() => this.clock, { rows: this.rows('work') });
  readonly scopes: string[] = [];
  readonly config: Config;
  readonly surroundings: NoticeWorkSurroundings;

  constructor(topic: Partial<Config>) {
    const { clock, kernel } = this;
    const on = { PUBLIC_URL: 'https://api.partner.example', WEBHOOK_KEYS: new Map(), JOB_LEASE_SECONDS: 60 };
    this.config = { ...on, NOTICES_RETENTION_DAYS: 30, ...topic } as unknown as Config;
    const getToken = (scope: string) => Promise.resolve({ token: String(this.scopes.push(scope)) });
    this.surroundings = {
      storage: { rows: (name: TableName) => this.rows(name) },
      work: { work: kernel.enqueuer, store: kernel.store },
      credential: { getToken },
      clock,
      log: kernel.log,
    } as unknown as NoticeWorkSurroundings;
  }

  rows(name: TableName): CountedRows {
    const found = this.tables.get(name) ?? new CountedRows();
    this.tables.set(name, found);
    return found;
  }

  get services() {
    return noticeServices(this.config, this.surroundings)!;
  }

  /** An event happens: its work is done, then that which it has woken. */
  async tell(owner: NoticeOwner, id: string): Promise<void> {
    const order = { ...noticeWork(owner, 'event', id), facts: { notice: aNotice(id) as never } };
    await this.kernel.enqueuer.ask(order);
    await this.work();
  }

  async work(): Promise<void> {
    const kinds = noticeKinds(this.config, this.surroundings);
    for (const name of [NOTICE, GRID]) {
      await this.clock.advance(1_000);
      const kind = kinds.find((each) => each.kind === name)!;
      for (const id of await this.kernel.store.idsOf(name, '')) await this.kernel.handle({ kind: name, id }, kind);
    }
  }

  night() {
    return upkeepNotices.run({ notices: this.services, config: this.config } as unknown as Services);
  }

  /** Keys of all rows of an owner. */
  keysOf(owner: NoticeOwner): readonly string[] {
    const all = [...this.tables.values()].flatMap((rows) => rows.all());
    return all
      .map(({ partitionKey, rowKey }) => `${partitionKey}|${rowKey}`)
      .filter((key) => `|${key}|`.includes(`|${owner}|`));
  }
}

const sentIds = () => grid.published().flatMap(({ events }) => events.map(({ id }) => id));

let notices: NoticesWithGrid;
beforeEach(() => {
  grid.script.reset();
  notices = new NoticesWithGrid({ NOTICES_TOPIC_URL: grid.topicUrl });
});

describe('with a topic', () => {
  test('the events of whoever has neither a webhook nor a look at the log are sent, with a token for Event Grid', async () => {
    await notices.tell(contoso, 'a');
    await notices.tell(namesake, 'b');
    expect(sentIds()).toEqual(['a', 'b']);
    expect(new Set(notices.scopes)).toEqual(new Set(['https://eventgrid.azure.net/.default']));
    await expect(notices.kernel.store.idsOf(GRID, '')).resolves.toEqual([]);
  });

  test('everybody is told, and nothing is read to find that out', async () => {
    const { tellOfEnrollment } = tellersOf(notices.config, notices.surroundings);
    await tellOfEnrollment({ customer: 'contoso', enrollmentId: 'e-1' }, () => Promise.resolve());
    expect(notices.rows('webhooks').requests).toBe(0);
    await expect(notices.kernel.store.idsOf(NOTICE, '')).resolves.toEqual([`${contoso}|enrollment|e-1`]);
  });

  test('that a webhook was disabled is sent, too', async () => {
    const webhook = { owner: contoso, id: 'wh_1', status: 'enabled', secrets: [] };
    await notices.rows('webhooks').put(contoso, 'W_wh_1', { json: JSON.stringify(webhook) });
    const stored = (await notices.services.webhooks.find({ owner: contoso, id: 'wh_1' }))!;
    await disableWebhook(notices.services, stored, { reason: 'gone_410', since: 0 });
    await notices.work();
    expect(grid.published().flatMap(({ events }) => events.map(({ type }) => type))).toEqual([
      'partner.webhook.disabled',
    ]);
  });

  test('old events are deleted at night, and a quiet owner is forgotten with its cursor', async () => {
    await notices.tell(contoso, 'old');
    notices.clock.jump(20 * DAY_MS);
    await notices.tell(contoso, 'young');
    notices.clock.jump(11 * DAY_MS);
    await expect(notices.night()).resolves.toMatchObject({ owners: 1, events: 1 });
    notices.clock.jump(20 * DAY_MS);
    await notices.night();
    expect(notices.keysOf(contoso)).toEqual([]);
    await notices.tell(contoso, 'anew');
    expect(sentIds()).toEqual(['old', 'young', 'anew']);
  });

  test('nothing is exported, and after a restore the log that begins anew is sent from its beginning', async () => {
    await notices.tell(contoso, 'before');
    expect(keptTables).not.toContain('notices');
    notices.tables.delete('notices');
    await notices.tell(contoso, 'after');
    expect(sentIds()).toEqual(['before', 'after']);
  });
});

describe('of an owner who is erased', () => {
  const left = async (): Promise<void> => {
    for (const owner of [contoso, namesake]) {
      await notices.tell(owner, `of ${owner}`);
      await notices.kernel.enqueuer.plan(workOfGrid(owner), notices.clock.now().getTime() + DAY_MS);
    }
    expect(notices.keysOf(contoso).some((key) => key.endsWith('|GRID'))).toBe(true);
  };
  const tables = () => ({
    work: notices.rows('work'),
    webhooks: notices.rows('webhooks'),
    notices: notices.rows('notices'),
  });

  test('cursor and work are gone, those of a tenant named like the customer are not', async () => {
    await left();
    const others = notices.keysOf(namesake);
    for (const { removeAll } of noticeBelongings(tables())) await removeAll('contoso');
    expect(notices.keysOf(contoso)).toEqual([]);
    expect(notices.keysOf(namesake)).toEqual(others);
  });

  test('so are those of a tenant', async () => {
    await left();
    await eraseNotices(tables(), namesake);
    expect(notices.keysOf(namesake)).toEqual([]);
    expect(notices.keysOf(contoso)).not.toEqual([]);
  });
});

describe('without a topic', () => {
  /** Requests of the tables of notices for an event of somebody who listens. */
  const requestsOf = async (topic: Partial<Config>): Promise<Readonly<Record<string, number>>> => {
    notices = new NoticesWithGrid(topic);
    await notices.services.listeners.listen(contoso);
    await notices.tell(contoso, 'first');
    for (const rows of notices.tables.values()) rows.requests = 0;
    await notices.tell(contoso, 'a');
    return Object.fromEntries([...notices.tables].map(([name, rows]) => [name, rows.requests]));
  };

  test('whoever does not listen costs nothing, and no work for Event Grid is made', async () => {
    notices = new NoticesWithGrid({});
    const { tellOfEnrollment } = tellersOf(notices.config, notices.surroundings);
    await tellOfEnrollment({ customer: 'contoso', enrollmentId: 'e-1' }, () => Promise.resolve());
    expect(notices.rows('work').requests).toBe(0);
    expect(notices.rows('notices').requests).toBe(0);
    await notices.tell(contoso, 'a');
    expect(sentIds()).toEqual([]);
    expect(notices.rows('notices').all()).toEqual([]);
  });

  test('an event costs whoever listens as much as before: the webhooks and whether one listens are asked for', async () => {
    const without = await requestsOf({});
    expect(without).toMatchObject({ webhooks: 2, notices: 2 });
    const withTopic = await requestsOf({ NOTICES_TOPIC_URL: grid.topicUrl });
    expect(withTopic['notices']).toBeGreaterThan(2);
    expect(withTopic['work']! - without['work']!).toBeGreaterThan(0);
  });
});
