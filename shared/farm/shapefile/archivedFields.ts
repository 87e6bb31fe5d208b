import type { Archive, ArchivedFile } from '../files/archive.js';
import { shapefileIn, type ArchivedShapefile } from './archivedShapefile.js';
import { ImportFault } from '../files/importFault.js';
import { kmlInArchive } from '../files/kmlInArchive.js';

/** What an archive holds: a shapefile, or else a KML file; neither is read yet. */
export type ArchivedFields =
  | { readonly shapefile: ArchivedShapefile; readonly kml?: undefined }
  | { readonly shapefile?: undefined; readonly kml: ArchivedFile & { readonly name: string } };

/** Finds the one file of fields in an archive, whatever it calls itself. @throws ImportFault without one, or with several */
export async function archivedFields(archive: Archive): Promise<ArchivedFields> {
  const { files } = archive;
  const names = [...files.keys()];
  if (names.some((name) => /\.shp$/i.test(name))) return { shapefile: await shapefileIn(archive) };
  const name = kmlInArchive(names);
  const file = name === undefined ? undefined : files.get(name);
  if (name !== undefined && file !== undefined) return { kml: { ...file, name } };
  throw new ImportFault(
    'The archive has no .shp file and no .kml file; pack one shapefile (.shp, .shx, .dbf, .prj, .cpg) or one KML file.',
  );
}
