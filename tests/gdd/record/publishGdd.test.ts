import { describe, expect, test } from '@jest/globals';
import { historyWith } from '../../../shared/gdd/record/betterRecord.js';
import { gddCsv } from '../../../shared/gdd/record/gddCsv.js';
import type { GddRecord } from '../../../shared/gdd/form/gddRecord.js';
import { gddInsight, gddPublication } from '../../../shared/gdd/record/publishGdd.js';
import { aChartRecord, aStage, may } from '../chart/aChartRecord.js';

const aRecord = (changes: Partial<GddRecord> = {}): GddRecord =>
  aChartRecord({
    insightId: '0c5d8a1e-7b1f-5e0a-9f55-5a0b8b1d3c77',
    modelVersion: 'gdd-crops/1',
    jobId: 'a-season',
    partyId: 'a-party',
    resourceId: 'a-field',
    method: { name: 'CLIP', formula: '', lower: 10, upper: 30, reference: '' },
    days: 10,
    observedTotal: 44.5,
    provisionalTotal: 9.5,
    forecastTotal: 18,
    normalTotal: 18,
    ...changes,
  });

describe('a GDD record in the words of the data manager', () => {
  test('is an insight of the field over the whole of its season', () => {
    const { key, insight } = gddPublication(aRecord());
    expect(key).toEqual({
      partyId: 'a-party',
      modelId: 'partnerAgPowered.gdd',
      resourceType: 'Field',
      resourceId: 'a-field',
      insightId: aRecord().insightId,
    });
    expect(insight).toMatchObject({
      modelVersion: 'gdd-crops/1',
      from: new Date('2026-05-01T00:00:00Z'),
      to: new Date('2026-05-10T23:59:59Z'),
      name: 'GDD CORN 2026-05-01 to 2026-05-10',
    });
  });

  test('measures the sum, its parts and the departure, in the unit of the job', () => {
    const inFahrenheit = aRecord({ temperatureUnit: 'F', normal: { ...aRecord().normal!, departure: -3.2 } });
    expect(gddPublication(inFahrenheit).insight.measurements).toEqual({
      gdd: { unit: 'F', value: 90 },
      gddObserved: { unit: 'F', value: 44.5 },
      gddProvisional: { unit: 'F', value: 9.5 },
      gddForecast: { unit: 'F', value: 18 },
      gddNormal: { unit: 'F', value: 18 },
      gddDepartureFromNormal: { unit: 'F', value: -3.2 },
    });
  });

  test('takes back the departure of an earlier calculation when there are no normals any more', () => {
    const { normal: _normal, ...record } = aRecord();
    expect(gddPublication(record).insight.measurements).toMatchObject({ gddDepartureFromNormal: null });
  });

  test('says in its properties what the sum is made with, the upper limit where there is one', () => {
    const properties = {
      crop: 'CORN',
      temperatureUnit: 'C',
      method: 'CLIP',
      lowerLimit: 10,
      gddStartDate: '2026-05-01',
      gddEndDate: '2026-05-10',
      asOf: '2026-05-07T17:00:00.000Z',
      days: 10,
      jobId: 'a-season',
    };
    expect(gddPublication(aRecord()).insight.properties).toEqual({ ...properties, upperLimit: 30 });
    const open = aRecord({ method: { ...aRecord().method, upper: null } });
    expect(gddPublication(open).insight.properties).toStrictEqual(properties);
  });

  test('carries itself as an attachment, under the same id at every attempt', () => {
    const { publication, files, record, insightId } = gddInsight(aRecord());
    expect([files, record, insightId]).toEqual([[], aRecord(), aRecord().insightId]);
    const [attachment, ...others] = publication.attachments;
    expect(others).toEqual([]);
    expect(attachment).toMatchObject({ name: 'gdd.json', contentType: 'application/json' });
    expect(attachment!.id).toBe(gddPublication(aRecord({ total: 7 })).attachments[0]!.id);
    expect(JSON.parse(Buffer.from(attachment!.data).toString('utf8'))).toEqual(aRecord());
  });
});

describe('the history of a record', () => {
  test('has the results before it, the oldest first, and what each lacked', () => {
    const first = aRecord({ asOf: 'first', total: 1, incomplete: [{ reason: 'gap', from: may(1), to: may(2) }] });
    const history = historyWith(first);
    expect(history).toStrictEqual([{ asOf: 'first', total: 1, incomplete: first.incomplete }]);
    const second = aRecord({ asOf: 'second', total: 2, history });
    expect(historyWith(second)).toStrictEqual([...history, { asOf: 'second', total: 2 }]);
  });
});

describe('a line of the daily series as CSV', () => {
  const linesOf = (changes: Partial<GddRecord> = {}): string[] =>
    gddCsv(aRecord(changes)).trimEnd().split('\r\n').slice(1);
  const source = (product: string, retrievedAt: string) =>
    ({ product, retrievedAt }) as unknown as GddRecord['sources'][number];

  test('has the range from the day on that it opens, the forecast on its own days', () => {
    const sources = [source('archive', 'earlier'), source('forecast', '2026-05-07T05:00:00.000Z')];
    const lines = linesOf({ sources });
    expect(lines[5]).toBe('2026-05-06,10,30,9.5,54,PROVISIONAL,54,,,,,,,203');
    expect(lines[6]).toBe('2026-05-07,10,30,9,63,FORECAST,63,62,64,,,,2026-05-07T05:00:00.000Z,203');
    expect(lines[9]).toBe('2026-05-10,10,30,9,90,NORMAL,90,86,94,,,,,203');
  });

  test('has the frost of its night and every stage of the day, with open ends of their days as dots', () => {
    const lines = linesOf({
      frost: [{ date: may(3), tmin: -1, source: 'OBSERVED', severity: 'DAMAGE' }],
      stages: [
        aStage(may(3), { code: 'V8' }),
        aStage(may(3), { code: 'V13', earliest: may(2), latest: may(5) }),
        aStage(may(4), { code: 'VT', earliest: may(2) }),
        aStage(may(5), { code: 'R3', latest: may(6) }),
        aStage(null, { code: 'R6' }),
      ],
    });
    expect(lines[2]).toBe(
      '2026-05-03,10,30,8,27,INTERPOLATED,27,,,DAMAGE,V8; V13,2026-05-03; 2026-05-02/2026-05-05,,203',
    );
    expect(lines[3]).toContain(',VT,2026-05-02/..,');
    expect(lines[4]).toContain(',R3,../2026-05-06,');
    expect(lines.join()).not.toContain('R6');
  });
});
