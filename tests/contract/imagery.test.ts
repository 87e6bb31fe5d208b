import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { dirname, join } from 'node:path';
import type { Grid } from '../../shared/geo/grid/grid.js';
import { collectionFaults, itemFaults } from '../imagery/documents/stacDocuments.js';
import { positionOf, writeScene } from '../support/sceneFiles.js';
import { callWithKey, newCustomer, submit, untilIngested } from './enrollmentCalls.js';
import { service } from './service.js';
import { settings } from './storage.js';

const directory = dirname(process.env['SERVICE_FILE'] ?? '');
const ca = readFileSync(service.caFile, 'utf8');
/** In Burgundy, away from every other test's fields. */
const GRID: Grid = {
  epsg: 32631,
  originX: 699_960,
  originY: 5_200_020,
  pixelWidth: 10,
  pixelHeight: 10,
  width: 256,
  height: 256,
};
const DAYS = ['2026-05-03', '2026-05-08', '2026-05-13'] as const;
const ALL = ['ndvi', 'vegetation', 'scouting', 'true-color'] as const;

/** Stripes of dense and sparse crops; on the second day clouds hide the western half. */
const valueAt =
  (day: string) =>
  (file: string, column: number, row: number): number => {
    const isDense = Math.floor(row / 8) % 2 === 0;
    if (file === 'scl') return day === DAYS[1] && column < 128 ? 9 : 4;
    const noise = (column * 7 + row * 13) % 50;
    return { red: isDense ? 400 : 1200, green: 800, blue: 500, nir: isDense ? 4_000 : 2_400 }[file]! + noise;
  };

/** A rectangle of pixels as a feature. */
function featureAt(fieldId: string, [left, top, right, bottom]: readonly [number, number, number, number]): object {
  const corners = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
    [left, top],
  ] as const;
  const ring = corners.map((corner) => positionOf(GRID, corner));
  return { type: 'Feature', properties: { field_id: fieldId }, geometry: { type: 'Polygon', coordinates: [ring] } };
}

beforeAll(async () => {
  for (const date of DAYS) {
    await writeScene(join(directory, 'scenes'), { id: `S2B_31TGN_${date}`, date, grid: GRID, valueAt: valueAt(date) });
  }
});

/** What a customer with no more than the SAS can do. */
class Reader {
  readonly #apiKey: string;

  constructor(apiKey: string) {
    this.#apiKey = apiKey;
  }

  async #access() {
    return (await callWithKey('/v1/auth/sas-token', this.#apiKey)).json as { sas_token: string; path: string };
  }

  async list(): Promise<readonly string[]> {
    const { sas_token: sas, path } = await this.#access();
    const query = `restype=container&comp=list&prefix=${encodeURIComponent(`${path}/`)}&${sas}`;
    const xml = (await get(`/imagery?${query}`)).toString('utf8');
    return [...xml.matchAll(/<Name>([^<]+)<\/Name>/g)].map((match) => match[1]!.slice(path.length + 1));
  }

  async read(name: string): Promise<Buffer> {
    return get((await this.address(name)).slice(service.blobEndpoint.length));
  }

  /** The address of a file with the right to read it. */
  async address(name: string): Promise<string> {
    const { sas_token: sas, path } = await this.#access();
    return `${service.blobEndpoint}/imagery/${path}/${name.split('/').map(encodeURIComponent).join('/')}?${sas}`;
  }

  async json(name: string): Promise<Record<string, unknown>> {
    return JSON.parse((await this.read(name)).toString('utf8')) as Record<string, unknown>;
  }

  /** Waits until every day of a field is in its index. */
  async untilLooked(fieldId: string, days = DAYS.length): Promise<readonly Record<string, unknown>[]> {
    const deadline = Date.now() + 540_000;
    for (;;) {
      const names = await this.list();
      if (names.includes(`sentinel-2/${fieldId}/index.json`)) {
        const index = await this.json(`sentinel-2/${fieldId}/index.json`);
        const dates = index['fieldimagery:dates'] as readonly Record<string, unknown>[];
        if (dates.length >= days) return dates;
      }
      if (Date.now() > deadline) throw new Error(`Not looked at in nine minutes: ${names.join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
}

const get = (path: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    request(`${service.blobEndpoint}${path}`, { ca }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(Buffer.concat(chunks));
        else reject(new Error(`${answer.statusCode} ${Buffer.concat(chunks).toString('utf8').slice(0, 300)}`));
      });
    })
      .once('error', reject)
      .end();
  });

const period = { start_date: '2026-05-01', end_date: '2026-05-15' };
const layersOf = (...names: readonly string[]) => ({ layers: names.map((layer) => ({ layer })) });

async function enrol(features: readonly object[], layers: readonly string[], apiKey: string): Promise<void> {
  const reply = await submit(features, { ...period, ...layersOf(...layers) }, { apiKey });
  expect(reply.status).toBe(202);
  expect((await untilIngested(reply.json.enrollment_id as string, apiKey)).json.status).toBe('completed');
}

/** Whether GDAL's command line tools are here. */
const hasGdal = spawnSync('gdalinfo', ['--version']).status === 0;

describe('an enrollment', () => {
  const fieldId = `Süd ${randomUUID().slice(0, 8)}`;
  let reader: Reader;
  let dates: readonly Record<string, unknown>[];
  let key: string;

  beforeAll(async () => {
    const { apiKey } = await newCustomer();
    key = apiKey;
    reader = new Reader(apiKey);
    await enrol([featureAt(fieldId, [40.5, 40.5, 119.5, 109.5])], ALL, apiKey);
    dates = await reader.untilLooked(fieldId);
  });

  test('becomes layers at the path of the specification, readable with the SAS alone', async () => {
    const days = DAYS.filter((day) => day !== DAYS[1]);
    const expected = [
      `sentinel-2/${fieldId}/index.json`,
      `sentinel-2/${fieldId}/items.json`,
      `sentinel-2/${fieldId}/statistics.csv`,
      ...days.flatMap((day) => [
        `sentinel-2/${fieldId}/${day}/metadata.json`,
        ...ALL.map((layer) => `sentinel-2/${fieldId}/${day}/${layer}.tiff`),
      ]),
    ];
    expect([...(await reader.list())].sort()).toEqual(expected.sort());
  });

  test('tells in its index what became of every day', () => {
    expect(dates.map(({ date, outcome, clear_percent: clear }) => ({ date, outcome, clear }))).toEqual([
      { date: DAYS[0], outcome: 'done', clear: 100 },
      { date: DAYS[1], outcome: 'cloud', clear: 0 },
      { date: DAYS[2], outcome: 'done', clear: 100 },
    ]);
  });

  test('has documents that are STAC, and files that are what these say', async () => {
    expect(collectionFaults(await reader.json(`sentinel-2/${fieldId}/index.json`))).toEqual([]);
    const { features } = (await reader.json(`sentinel-2/${fieldId}/items.json`)) as { features: { id: string }[] };
    expect(features.map(({ id }) => id)).toEqual([DAYS[0], DAYS[2]].map((date) => `${fieldId}_${date}`));
    const csv = new TextDecoder().decode(await reader.read(`sentinel-2/${fieldId}/statistics.csv`));
    expect(csv.match(/^[-\d]+,\w+/gm)).toEqual(
      [DAYS[0], DAYS[2]].flatMap((day) => [`${day},ndvi`, `${day},vegetation`]),
    );
    const day = `sentinel-2/${fieldId}/${DAYS[0]}`;
    const { items } = (await callWithKey('/v1/fields', key)).json as { items: readonly Record<string, unknown>[] };
    expect(items).toMatchObject([
      { field_id: fieldId, newest: { date: DAYS[2], outcome: 'done' }, newest_picture: DAYS[2] },
    ]);
    const item = await reader.json(`${day}/metadata.json`);
    expect(itemFaults(item)).toEqual([]);
    const assets = Object.values(
      item['assets'] as Record<string, { href: string; 'file:size': number; 'file:checksum': string }>,
    );
    expect(assets).toHaveLength(4);
    for (const { href, 'file:size': size, 'file:checksum': checksum } of assets) {
      const bytes = await reader.read(`${day}/${href.slice(2)}`);
      expect(bytes.length).toBe(size);
      expect(`1220${createHash('sha256').update(bytes).digest('hex')}`).toBe(checksum);
    }
  });

  (hasGdal ? test : test.skip)(
    'opens in GDAL from the storage, by the SAS: place, nodata and tags are right',
    async () => {
      const address = await reader.address(`sentinel-2/${fieldId}/${DAYS[0]}/vegetation.tiff`);
      const env = { ...process.env, CURL_CA_BUNDLE: service.caFile, SSL_CERT_FILE: service.caFile };
      const info = JSON.parse(
        execFileSync('gdalinfo', ['-json', `/vsicurl/${address}`], { encoding: 'utf8', env }),
      ) as {
        size: number[];
        geoTransform: number[];
        bands: { noDataValue: number; scale: number }[];
        metadata: Record<string, Record<string, string>>;
        coordinateSystem: { wkt: string };
      };
      expect(info.coordinateSystem.wkt).toContain('WGS 84 / UTM zone 31N');
      expect(info.size).toEqual([80, 70]);
      expect(info.geoTransform).toEqual([GRID.originX + 400, 10, 0, GRID.originY - 400, 0, -10]);
      expect(info.bands[0]).toMatchObject({ noDataValue: 255 });
      expect(info.metadata['']).toMatchObject({
        fieldId,
        sourceId: `S2B_31TGN_${DAYS[0]}`,
        FIELD_CLEAR_PERCENT: '100',
      });
      expect(info.metadata['IMAGE_STRUCTURE']).toMatchObject({ LAYOUT: 'COG' });
    },
  );
});

describe('two enrollments of one field at the same time, for different layers', () => {
  test('leave one document that names the layers of both', async () => {
    const { apiKey } = await newCustomer();
    const reader = new Reader(apiKey);
    const field = featureAt('shared', [130, 130, 200, 190]);
    await Promise.all([enrol([field], ['ndvi'], apiKey), enrol([field], ['true-color'], apiKey)]);
    await reader.untilLooked('shared');
    const deadline = Date.now() + 540_000;
    const namesOf = async (day: string): Promise<string> =>
      Object.keys((await reader.json(`sentinel-2/shared/${day}/metadata.json`))['assets'] as object).join();
    for (const day of DAYS) {
      while ((await namesOf(day)) !== 'ndvi,true-color') {
        if (Date.now() > deadline) throw new Error(`${day} has ${await namesOf(day)}`);
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    }
  });
});

describe('a catalogue that is away', () => {
  const stac = new URL(settings['EARTH_SEARCH_URL'] ?? '').origin;
  const control = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${stac}/.control/${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });

  test('leaves no record of missing imagery; the work is done when it is back', async () => {
    const { apiKey } = await newCustomer();
    const reader = new Reader(apiKey);
    await control('POST', 'faults', { kind: 'status', status: 503, path: '/v1/search', times: 4 });
    await enrol([featureAt('patient', [10, 200, 60, 250])], ['ndvi'], apiKey);
    const dates = await reader.untilLooked('patient');
    expect(dates.map(({ outcome }) => outcome)).toEqual(['done', 'cloud', 'done']);
    await control('DELETE', 'faults');
  });
});
