import { shapefileIn } from '../../../shared/farm/shapefile/archivedShapefile.js';
import { mapCodeOf } from '../../../shared/farm/shapefile/mapProjection.js';
import { openShapefile } from '../../../shared/farm/shapefile/shapefile.js';
import { openZip } from '../../../shared/farm/files/zip.js';
import { prepareFeatures } from '../../../shared/farm/imports/importTasks.js';
import type { Prepared } from '../../../shared/farm/imports/preparedFeature.js';
import { dbfFile, shpFile, square, WGS84, zipped } from '../shapefiles.js';

/** Everything that an archive holds, as an import would write it. */
export async function readAll(bytes: Buffer): Promise<readonly Prepared[]> {
  const file = await shapefileIn(await openZip(bytes));
  const code = mapCodeOf(file.prj);
  const { table, shapes } = await openShapefile(file, 1_000);
  const all: Prepared[] = [];
  for await (const shape of shapes()) {
    const raw = { form: 'shapes', shapes: [shape], table, code } as const;
    all.push(...prepareFeatures({ raw, options: { partyId: 'party', idProperty: 'ID' } }));
  }
  return all;
}

/** What an import would write of each, in short: its name, or what is wrong with it. */
export async function namesIn(bytes: Buffer): Promise<readonly unknown[]> {
  return (await readAll(bytes)).map((each) => (each.fault === undefined ? each.body['name'] : each.fault.message));
}

export type Parts = Readonly<Record<string, Uint8Array | string | undefined>>;

/** A shapefile of one square with the id `one`. */
export const partsWith = (overrides: Parts = {}): Parts => ({
  'a.shp': shpFile([[square([9, 55])]]),
  'a.dbf': dbfFile([{ name: 'ID' }], [['one']]),
  'a.prj': WGS84,
  ...overrides,
});

export const zippedWith = (overrides: Parts): Buffer => zipped(partsWith(overrides));
