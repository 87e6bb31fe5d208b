import type { Archive } from '../../../../shared/farm/files/archive.js';
import { shapefileIn } from '../../../../shared/farm/shapefile/archivedShapefile.js';
import { featureReader, openShapefile } from '../../../../shared/farm/shapefile/shapefile.js';
import { partsOf } from '../../../../shared/geo/shapes/geoJson.js';
import { fieldGatherer, type ConvertedFile } from './fieldCollection.js';
import { FileFault } from './fileFault.js';
import { positionsBy } from './projection.js';

/** Far more than one enrollment takes. */
const MOST_RECORDS = 10_000;

/** The fields of the shapefile in an archive. @throws ImportFault or FileFault */
export async function shapeFields(archive: Archive): Promise<ConvertedFile> {
  const file = await shapefileIn(archive);
  const { table, count, shapes } = await openShapefile(file, MOST_RECORDS);
  const read = featureReader(table, await positionsBy(file.prj));
  const fields = fieldGatherer();
  const faults: string[] = [];
  for await (const shape of shapes()) {
    const feature = read(shape);
    if (typeof feature === 'string') faults.push(feature);
    else fields.add(partsOf(feature.geometry), feature.properties);
  }
  const [fault] = faults;
  if (fields.features.length === 0) throw new FileFault(`The shapefile has no polygon. ${fault ?? ''}`.trim());
  const note = fault && `${faults.length} of ${count} records are left out: ${fault}`;
  return { collection: { type: 'FeatureCollection', features: fields.features }, note };
}
