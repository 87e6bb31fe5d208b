import { beforeAll, describe, expect, test } from '@jest/globals';
import { aFeature, aRing } from '../enrollments/builders.js';
import { callWithKey, newCustomer, submit, untilIngested } from './enrollmentCalls.js';
import { call, service, type Reply } from './service.js';

let apiKey: string;
let enrollmentId: string;
const polygonAt = (shift: number) => ({ type: 'Polygon', coordinates: [aRing(shift)] });
const list = (query = '', key = apiKey): Promise<Reply> => callWithKey(`/v1/fields${query}`, key);

interface Page {
  readonly items: readonly { readonly field_id: string }[];
  readonly cursor: string | null;
}

const COUNT = 40;

beforeAll(async () => {
  ({ apiKey } = await newCustomer());
  const features = Array.from({ length: COUNT }, (_, index) =>
    aFeature({ fieldId: `field-${index}`, geometry: polygonAt(index / 50) }),
  );
  const open = { type: 'Polygon', coordinates: [aRing().slice(0, -1)] };
  const { json } = await submit([...features, aFeature({ fieldId: 'open', geometry: open })], {}, { apiKey });
  enrollmentId = json.enrollment_id as string;
  await untilIngested(enrollmentId, apiKey);
});

describe('the list of fields', () => {
  test('shows a field with its boundary, its enrollment and nothing of its days yet', async () => {
    const { json, status } = await list('?limit=250');
    expect(status).toBe(200);
    const page = json as Page;
    expect(page.items).toHaveLength(COUNT);
    expect(page.items.find(({ field_id: id }) => id === 'field-0')).toEqual({
      field_id: 'field-0',
      group: null,
      geometry: polygonAt(0),
      bbox: [13.14, 48.29, 13.15, 48.294],
      area_ha: expect.closeTo(32.98, 1),
      enrollments: [
        {
          enrollment_id: enrollmentId,
          status: 'completed',
          layers: ['ndvi'],
          start_date: '2026-04-01',
          end_date: '2026-10-31',
        },
      ],
      errors: null,
      newest: null,
      newest_picture: null,
    });
  });

  test.each([250, 17, 1])('shows every field once in pages of %i', async (limit) => {
    const shown: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = (await list(`?limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`)).json as Page;
      shown.push(...page.items.map(({ field_id: id }) => id));
      cursor = page.cursor;
    }
    expect(shown.sort()).toEqual(Array.from({ length: COUNT }, (_, index) => `field-${index}`).sort());
  });

  test('shows the fields of a group alone, a page at a time, and with an empty one those without', async () => {
    const { apiKey: key } = await newCustomer();
    const groups = ['Müller & Söhne', "O'Brien", 'Müller & Söhne', null, undefined, 'Müller & Söhne'];
    const features = groups.map((group, index) =>
      aFeature({ fieldId: `${index}`, group, geometry: polygonAt(index / 50) }),
    );
    const { json } = await submit(features, {}, { apiKey: key });
    await untilIngested(json.enrollment_id as string, key);
    const shownOf = async (group: string): Promise<readonly (readonly [string, unknown])[]> => {
      const shown: [string, unknown][] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const query = `?group=${encodeURIComponent(group)}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const page = (await list(query, key)).json as {
          readonly items: readonly { readonly field_id: string; readonly group: unknown }[];
          readonly cursor: string | null;
        };
        shown.push(...page.items.map((field): [string, unknown] => [field.field_id, field.group]));
        cursor = page.cursor;
      }
      return shown.sort();
    };
    expect(await shownOf('Müller & Söhne')).toEqual(['0', '2', '5'].map((id) => [id, 'Müller & Söhne']));
    expect(await shownOf("O'Brien")).toEqual([['1', "O'Brien"]]);
    expect(await shownOf('müller & söhne')).toEqual([]);
    expect(await shownOf('')).toEqual(['3', '4'].map((id) => [id, null]));

    const { cursor } = (await list(`?group=${encodeURIComponent('Müller & Söhne')}&limit=2`, key)).json as Page;
    for (const query of [`?cursor=${cursor}`, `?group=&cursor=${cursor}`]) {
      const reply = await list(query, key);
      expect(reply.status).toBe(422);
      expect(reply.json.details).toEqual([expect.objectContaining({ loc: ['query', 'cursor'] })]);
    }
    const long = await list(`?group=${'x'.repeat(129)}`, key);
    expect(long.status).toBe(422);
    expect(long.json.details).toEqual([
      expect.objectContaining({ loc: ['query', 'group'], msg: expect.stringContaining('128') }),
    ]);
  });

  test('tells of a field that another enrollment could not have with another geometry', async () => {
    const again = aFeature({ fieldId: 'field-1', geometry: polygonAt(0.9) });
    const { json } = await submit([again], {}, { apiKey });
    await untilIngested(json.enrollment_id as string, apiKey);
    const page = (await list('?limit=250')).json as { readonly items: readonly Record<string, unknown>[] };
    const field = page.items.find((item) => item['field_id'] === 'field-1');
    expect(field).toMatchObject({ errors: [{ code: 'field_id_conflict' }], geometry: polygonAt(1 / 50) });
  });

  test("is the customer's own, and so are its cursors: 422", async () => {
    const other = await newCustomer();
    expect((await list('', other.apiKey)).json).toEqual({ items: [], cursor: null });
    const { cursor } = (await list('?limit=1')).json as Page;
    for (const hostile of [cursor, 'AAAA', '', encodeURIComponent("' or true")]) {
      const reply = await list(`?cursor=${hostile}`, other.apiKey);
      expect(reply.status).toBe(422);
      expect(reply.json.details).toEqual([expect.objectContaining({ loc: ['query', 'cursor'] })]);
    }
    const enrollments = await callWithKey(`/v1/enrollments?cursor=${cursor}`, apiKey);
    expect(enrollments.status).toBe(422);
  });

  test('is nothing for a token', async () => {
    expect((await call('/v1/fields', { token: service.jwt })).status).toBe(401);
  });
});
