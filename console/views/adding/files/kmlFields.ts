import { partsOfPlacemark } from '../../../../shared/farm/files/kmlPlacemark.js';
import { kmlPlacemarks } from '../../../../shared/farm/files/kmlPlacemarks.js';
import { fieldGatherer, type ConvertedFile } from './fieldCollection.js';
import { FileFault, shownText } from './fileFault.js';

/**
 * The fields of a KML file: of each placemark its polygons, without heights.
 *
 * @throws FileFault, ImportFault
 */
export async function kmlFields(name: string, bytes: Uint8Array): Promise<ConvertedFile> {
  const file = shownText(name);
  const fields = fieldGatherer();
  const faults: string[] = [];
  let [count, empty] = [0, 0];
  for await (const placemark of kmlPlacemarks({ name: file, bytes })) {
    const { parts, fault } = partsOfPlacemark(placemark);
    count += 1;
    if (fault !== undefined) faults.push(fault);
    else if (parts.length === 0) empty += 1;
    else fields.add(parts, placemark.properties);
  }
  const { features } = fields;
  if (features.length === 0) {
    throw new FileFault(faults[0] ?? `${file} has no placemark with a polygon. ${AS_POLYGONS}`);
  }
  const notes = [
    ...(empty === 0 ? [] : [`${empty} of ${count} placemarks are left out: they have no polygon.`]),
    ...(faults.length === 0 ? [] : [`${faults.length} of ${count} placemarks are left out: ${faults[0] ?? ''}`]),
  ];
  return {
    collection: { type: 'FeatureCollection', features },
    note: notes.length === 0 ? undefined : notes.join(' '),
  };
}

const AS_POLYGONS = 'Draw the fields as polygons, not as paths or places.';
