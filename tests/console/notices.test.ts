import { afterEach, describe, expect, test } from '@jest/globals';
import { latestEvents } from '../../console/api/notices.js';
import { signIn, signOut } from '../../console/session/session.js';
import {
  answerText,
  bannerOf,
  healthText,
  nameOf,
  pendingText,
  typesText,
} from '../../console/views/notices/noticeWords.js';
import { eventText, type ToldEvent } from '../../console/views/notices/eventWords.js';
import { eventExamples } from '../../functions/events/examples.js';
import { webhookExample } from '../../functions/webhooks/examples.js';
import { noticeTypes } from '../../shared/notices/log/notice.js';
import { disabledReasons } from '../../shared/notices/webhooks/webhookStates.js';

const NOW = Date.parse('2026-05-04T12:00:00Z');

describe('the latest events', () => {
  const { fetch } = globalThis;
  afterEach(() => {
    globalThis.fetch = fetch;
    signOut();
  });

  /** A log of events that came so many minutes ago, the oldest first. @returns what was asked for */
  function aLog(minutesAgo: readonly number[]): string[] {
    const asked: string[] = [];
    const places = minutesAgo.map((minutes, place) => ({ place, at: NOW - minutes * 60_000 }));
    globalThis.fetch = (path) => {
      const query = new URL(path as string, 'https://fields.example').searchParams;
      const [from, cursor] = [query.get('from'), query.get('cursor')];
      asked.push(from ?? `behind ${String(cursor)}`);
      const left = places.filter(({ place, at }) => (from === null ? place > Number(cursor) : at >= Date.parse(from)));
      const items = left.slice(0, Number(query.get('limit'))).map(({ place }) => ({ id: `e${place}` }));
      const last = left.at(items.length - 1)?.place ?? 0;
      return Promise.resolve(Response.json({ items, cursor: String(last), has_more: items.length < left.length }));
    };
    signIn({ apiKey: 'key' }, false);
    return asked;
  }
  const idsOf = async (): Promise<readonly string[]> => (await latestEvents('key', NOW)).events.map(({ id }) => id);

  test('are those of the last hour where these are enough, the newest first', async () => {
    const asked = aLog(Array.from({ length: 30 }, (_, place) => 30 - place));
    expect(await idsOf()).toEqual(Array.from({ length: 20 }, (_, place) => `e${29 - place}`));
    expect(asked).toEqual(['2026-05-04T11:00:00.000Z']);
  });

  test('are looked for further back where they are few', async () => {
    const asked = aLog([40 * 24 * 60, 3 * 24 * 60, 30]);
    expect(await idsOf()).toEqual(['e2', 'e1']);
    expect(asked).toHaveLength(3);
  });

  test('are read page after page, and no more than a thousand', async () => {
    const asked = aLog(Array.from({ length: 1_100 }, () => 5));
    const { events, isCut } = await latestEvents('key', NOW);
    expect([events[0]?.id, isCut, asked.length]).toEqual(['e999', true, 5]);
  });
});

describe('an event in words of the farm', () => {
  const told = (type: string): string => eventText(eventExamples[type] as ToldEvent);

  test.each(noticeTypes.map((type) => ({ type })))(
    'says what has happened, with data and without: $type',
    ({ type }) => {
      for (const text of [told(type), eventText({ type })]) expect(text).not.toMatch(/partner|_|undefined|\?/);
    },
  );

  test('names the fields and days of pictures', () => {
    expect(told('partner.imagery.available')).toBe('New pictures of 2 fields, 3 May 2026');
    const [north, south] = [
      { date: '2026-05-03', field_ids: ['North'] },
      { date: '2026-04-28', field_ids: ['North', 'South'] },
    ];
    const type = 'partner.imagery.available';
    expect(eventText({ type, data: { groups: [north] } })).toBe('New pictures of North, 3 May 2026');
    expect(eventText({ type, data: { origin: 'backfill', groups: [north, south] } })).toBe(
      'Earlier pictures of 2 fields, 2 days',
    );
  });

  test('stands for itself where the page does not know its type', () => {
    expect(eventText({ type: 'partner.moon.full' })).toBe('partner.moon.full');
  });
});

describe('a webhook in words', () => {
  const webhook = { ...webhookExample, types: [...webhookExample.types] };

  test.each(disabledReasons.map((reason) => ({ reason })))(
    'says what to do when it is disabled: $reason',
    ({ reason }) => {
      const banner = bannerOf({ ...webhook, status: 'disabled', disabled_reason: reason });
      expect(banner).toMatch(/(enable the webhook|Enable the webhook|before you enable it)/);
      expect(banner).toMatch(/Its events stay in the log\.$/);
      expect(banner).not.toContain('_');
    },
  );

  test('has no banner while it is enabled', () => {
    expect(bannerOf({ ...webhook, status: 'enabled' })).toBeUndefined();
  });

  test.each([
    { pending: 0, text: 'No event waits' },
    { pending: 1, text: '1 event waits' },
    { pending: 999, text: '999 events wait' },
    { pending: 1_000, text: '1,000 or more events wait' },
  ])('with $pending pending events: $text', ({ pending, text }) => {
    expect(pendingText({ ...webhook, pending_events: pending })).toBe(text);
  });

  test('tells when its receiver took something, and since when not', () => {
    const times = { last_success_date_time: '2026-05-04T06:00:10.100Z', failing_since: '2026-05-05T07:01:02.000Z' };
    expect(healthText({ ...webhook, ...times })).toBe(
      'the last was taken on 4 May 2026, 06:00:10 UTC; failing since 5 May 2026, 07:01:02 UTC',
    );
  });

  test('is named by its description, else by its receiver', () => {
    expect(nameOf(webhook)).toBe('Jobs of the planning tool');
    expect(nameOf({ ...webhook, description: null })).toBe('farm.contoso.com');
    expect(typesText({ ...webhook, types: null })).toBe('All events');
    expect(typesText({ ...webhook, types: ['partner.imagery.*', 'partner.job.failed', 'partner.moon.full'] })).toBe(
      'Only: Pictures are there, or were replaced; Calculation or search: failed; partner.moon.full',
    );
  });

  test.each([
    { answer: { status_code: 204, duration_ms: 87, error: null }, text: '204 after 87 ms' },
    {
      answer: { status_code: 302, duration_ms: 5, error: 'redirect' },
      text: '302 after 5 ms: it answered with a redirect, which is not followed',
    },
    {
      answer: { status_code: null, duration_ms: 15_000, error: 'timeout' },
      text: 'no answer after 15,000 ms: it did not answer within 15 s',
    },
  ])('has attempts: $text', ({ answer, text }) => {
    expect(answerText(answer)).toBe(text);
  });
});
