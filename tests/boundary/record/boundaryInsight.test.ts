import { describe, expect, test } from '@jest/globals';
import type { BoundaryPrediction } from '../../../shared/boundary/predict/predictBoundary.js';
import type { Position } from '../../../shared/geo/shapes/geoJson.js';
import { preferredType } from '../../../shared/kit/answer/preferredType.js';
import { representationsOf } from '../../../shared/wiring/areas/insightKinds.js';
import { COG_TYPE } from '../../../shared/raster/write/encodeCog.js';
import { boundaryFeature, boundaryGeoJson } from '../../../shared/boundary/record/boundaryGeoJson.js';
import { boundaryInsight } from '../../../shared/boundary/record/boundaryInsight.js';
import {
  BoundaryFeature,
  BoundaryRecord,
  boundaryRecord,
  isBoundaryRecord,
} from '../../../shared/boundary/record/boundaryRecord.js';
import { searchRegion } from '../../../shared/boundary/stack/searchRegion.js';
import { faultsOf } from '../../../shared/kit/validation/validator.js';
import { aRecord, pictureGrid, point } from '../job/aRecord.js';

describe('the record of a prediction', () => {
  const prediction: BoundaryPrediction = {
    outcome: 'field',
    polygon: aRecord().boundary,
    areaHectares: 12.345678,
    perimeterMeters: 1234.5678,
    confidence: 0.87654,
    confidenceClass: 'high',
    touchesWindow: true,
    alternatives: [{ polygon: aRecord().boundary, areaHectares: 1.00004, confidence: 0.5, reading: 'larger' }],
    moreDatesMayHelp: true,
    dates: [
      { date: '2026-06-08', sceneIds: ['b'], clearFraction: 0.98765, isUsed: true },
      { date: '2026-06-10', sceneIds: ['c'], clearFraction: 0, isUsed: false, reason: 'clouds lie over the point' },
    ],
    method: 'gradient',
    modelVersion: '2.0.0',
  };
  const record = boundaryRecord({
    insightId: 'i',
    jobId: 'j',
    parameters: { partyId: 'p', resourceId: 'f', imageStartDate: 'a', imageEndDate: 'b', pointOnSurface: point },
    prediction,
    passed: [{ date: '2026-06-03', sceneIds: ['a'], kind: 'lost', reason: 'a file of it cannot be read' }],
    region: searchRegion(point, 1),
    fieldId: 'search',
    picture: { date: '2026-06-08', grid: pictureGrid },
    asOf: new Date('2026-06-20T12:00:00Z'),
  });

  test('begins with the insight id and is JSON through and through', () => {
    expect(Object.keys(record)[0]).toBe('insightId');
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  });

  test('rounds areas to a square metre, lengths to a decimetre, shares to a thousandth', () => {
    expect(record).toMatchObject({ areaHectares: 12.3457, perimeterMeters: 1234.6, confidence: 0.877 });
    expect(record.alternatives[0]).toMatchObject({ areaHectares: 1, confidence: 0.5 });
    expect(record.scenes[1]).toMatchObject({ clearFraction: 0.988 });
  });

  test('lists every scene by its date, those that do not count with the reason', () => {
    const clouds = 'clouds lie over the point';
    expect(record.scenes).toStrictEqual([
      { date: '2026-06-03', sceneIds: ['a'], isUsed: false, reason: 'a file of it cannot be read' },
      { date: '2026-06-08', sceneIds: ['b'], isUsed: true, clearFraction: 0.988 },
      { date: '2026-06-10', sceneIds: ['c'], isUsed: false, clearFraction: 0, reason: clouds },
    ]);
  });

  test('is told from the records of other solutions by its kind', () => {
    expect([isBoundaryRecord({ ...record }), isBoundaryRecord({ kind: 'GDD' })]).toEqual([true, false]);
  });

  test('says how each other reading lies to the boundary, and whether more dates may help', () => {
    expect(record).toMatchObject({ moreDatesMayHelp: true, alternatives: [{ reading: 'larger' }] });
  });

  test('says that the outline ends at the search region, and how large that was', () => {
    expect(record).toMatchObject({ touchesSearchRegion: true, searchRegion: { fieldId: 'search', sideMeters: 5120 } });
  });

  test('names its picture by the day and the four corners, from the upper left on, clockwise, as maps want them', () => {
    const { picture } = record;
    const [[left, top], [right], [, bottom], [lowerLeft]] = picture!.corners as [
      Position,
      Position,
      Position,
      Position,
    ];
    expect(picture).toMatchObject({ date: '2026-06-08', corners: { length: 4 } });
    expect([left < point[0], right > point[0], top > point[1], bottom < point[1]]).toEqual([true, true, true, true]);
    expect(lowerLeft).toBeCloseTo(left, 3);
    // 2,560 m from north to south.
    expect((top - bottom) * 111_120).toBeCloseTo(2560, -2);
    expect(faultsOf(BoundaryRecord, aRecord({ picture: picture! }))).toEqual([]);
  });
});

describe('the GeoJSON of a boundary', () => {
  const feature = JSON.parse(boundaryGeoJson(aRecord())) as Record<string, unknown>;

  test('is one Feature with the outline and what a map reader wants to know (RFC 7946)', () => {
    expect(feature).toMatchObject({
      type: 'Feature',
      id: aRecord().insightId,
      geometry: aRecord().boundary,
      properties: {
        areaHectares: 61.2,
        perimeterMeters: 3129.4,
        confidence: 0.87,
        confidenceClass: 'high',
        method: 'network',
        modelVersion: '1.1.0',
        scenes: aRecord().scenes,
        searchRegion: aRecord().searchRegion,
      },
    });
    expect(feature).not.toHaveProperty('crs');
  });

  test('says whether more dates may help, where its record does: those of before 0.2.0 do not', () => {
    const propertiesOf = (record: BoundaryRecord) => boundaryFeature(record).properties;
    const { moreDatesMayHelp: _none, ...before } = aRecord();
    expect(propertiesOf(aRecord({ moreDatesMayHelp: true }))).toMatchObject({ moreDatesMayHelp: true });
    expect(propertiesOf(before)).not.toHaveProperty('moreDatesMayHelp');
  });

  test('is described to the last member', () => {
    expect(faultsOf(BoundaryFeature, feature)).toEqual([]);
    expect(faultsOf(BoundaryRecord, aRecord())).toEqual([]);
  });

  test('names no party', () => {
    expect(JSON.stringify(feature)).not.toContain('partyId');
  });
});

describe('the insight of a boundary', () => {
  const scenes = Array.from({ length: 40 }, (_, k) => ({ date: `2026-06-${k}`, sceneIds: ['s'], isUsed: true }));
  const insight = boundaryInsight(aRecord({ jobId: 'j'.repeat(128), scenes }), undefined, pictureGrid);

  test('lies under the farm of the request, with the period of its imagery', () => {
    expect(insight.publication.key).toMatchObject({ resourceType: 'Farm', resourceId: 'f', partyId: 'p' });
    expect(insight.publication.insight).toMatchObject({
      from: new Date('2026-06-01T00:00:00Z'),
      to: new Date('2026-06-12T23:59:59Z'),
      measurements: { area: { unit: 'ha', value: 61.2 }, perimeter: { unit: 'm' }, confidence: { value: 0.87 } },
    });
  });

  test('carries its GeoJSON under an id of its own, the same at every attempt', () => {
    const [attachment, ...others] = boundaryInsight(aRecord(), undefined, pictureGrid).publication.attachments;
    expect(others).toEqual([]);
    expect(attachment).toMatchObject({ name: 'boundary.geojson', contentType: 'application/geo+json' });
    expect(attachment!.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
    expect(Buffer.from(attachment!.data).toString('utf8')).toBe(boundaryGeoJson(aRecord()));
  });

  test('says in its properties what the outline rests on: of the scenes the days that were used', () => {
    expect(boundaryInsight(aRecord(), undefined, pictureGrid).publication.insight.properties).toEqual({
      longitude: point[0],
      latitude: point[1],
      confidenceClass: 'high',
      method: 'network',
      imageStartDate: '2026-06-01',
      imageEndDate: '2026-06-12',
      datesUsed: '2026-06-08',
      searchFieldId: 'search',
      asOf: '2026-06-20T12:00:00.000Z',
      jobId: 'north-field',
    });
  });

  test('keeps the limits of the data manager: 25 properties, keys of 50, values of 150 characters', () => {
    const properties = Object.entries(insight.publication.insight.properties ?? {});
    expect(properties.length).toBeLessThanOrEqual(25);
    for (const [key, value] of properties) {
      expect(key.length).toBeLessThanOrEqual(50);
      expect(String(value).length).toBeLessThanOrEqual(150);
    }
    expect(insight.publication.insight.name!.length).toBeLessThanOrEqual(100);
  });

  test('is the same bytes for the same record: a repeated attempt changes nothing', () => {
    expect(boundaryInsight(aRecord(), undefined, pictureGrid)).toEqual(
      boundaryInsight(aRecord(), undefined, pictureGrid),
    );
  });

  test('is answered as record, as GeoJSON and as the stored picture', () => {
    const job = { tenant: 't', solution: 'partnerAgPowered.smartBoundary', jobId: 'j' } as const;
    const offered = representationsOf({ job, record: aRecord() });
    expect(Object.keys(offered)).toEqual(['application/json; charset=utf-8', 'application/geo+json', 'image/svg+xml']);
    expect(offered['image/svg+xml']).toBe('file');
    expect(insight.files.map(({ contentType }) => contentType)).toEqual(['image/svg+xml']);
  });

  test('offers the ground alone as a GeoTIFF where the job kept one, and names its day and corners', () => {
    const picture = { date: '2026-06-08', grid: pictureGrid, png: new Uint8Array(), geoTiff: Uint8Array.of(1) };
    const record = aRecord({ picture: { date: '2026-06-08', corners: [] } });
    const { files } = boundaryInsight(record, picture, pictureGrid);
    expect(files.at(-1)).toEqual({ contentType: COG_TYPE, data: picture.geoTiff });
    const job = { tenant: 't', solution: 'partnerAgPowered.smartBoundary', jobId: 'j' } as const;
    const offered = representationsOf({ job, record });
    expect(offered[COG_TYPE]).toBe('file');
    expect(preferredType('image/tiff', Object.keys(offered))).toBe(COG_TYPE);
    expect(preferredType('image/*', Object.keys(offered))).toBe('image/svg+xml');
  });
});
