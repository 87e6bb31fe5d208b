import { Type } from 'typebox';
import { enrollmentFaults } from '../../shared/kit/errors/catalogue.js';
import { farmFaults } from '../../shared/kit/errors/farmFaults.js';
import { KML_TYPE, KMZ_TYPE, type ImportOptions, type ImportType } from '../../shared/farm/imports/importJob.js';
import { FarmImport, importView } from '../../shared/farm/imports/importView.js';
import { getImport, startImport } from '../../shared/farm/imports/startImport.js';
import type { FileKind } from '../../shared/http/route.js';
import { importedFeatures, importedLine, importExample } from './examples.js';
import { farmOperation, requireId } from './farmRoute.js';

const MEBIBYTE = 1024 * 1024;
const PATH = 'v1/imports';
const types: Readonly<Record<ImportType, FileKind>> = {
  'application/geo+json': { description: 'A FeatureCollection of fields', example: importedFeatures },
  'application/zip': {
    description:
      'One shapefile: .shp with polygons, .shx, .dbf, .prj, .cpg; or one KML file. At most 2,000 files and 500 MB unpacked',
    example: 'fields.zip',
  },
  [KML_TYPE]: {
    description: 'KML: the polygons of each placemark are a field, with its name and ExtendedData',
    example: 'fields.kml',
  },
  [KMZ_TYPE]: { description: 'KML in a zip file: doc.kml, else the only one', example: 'fields.kmz' },
  'application/x-ndjson': {
    description: 'Our own export: a path and the resource there on each line',
    example: importedLine,
  },
};
const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }));

/** POST /v1/imports — the fields of a file, into one party; or an export, back. */
export const farmImportsCreate = farmOperation({
  name: 'farmImportsCreate',
  method: 'POST',
  path: PATH,
  role: 'Farm.ReadWrite',
  summary: 'Import fields from a file',
  description:
    'A FeatureCollection in WGS 84, a zipped shapefile of polygons (degrees, UTM or Web Mercator, on WGS 84 or a datum within metres of it), KML or KMZ, or an export of ours. The file is read afterwards; a feature that cannot be written stops no other. A file has at most 250,000 features, a feature at most 16 MB, of which 2 MB lie beside its geometry. A field has the id that `idProperty`, else `field_id`, else the feature itself says, else one that follows from its geometry: so a file that is imported again makes no copies. An id that is no UUID becomes one, and stays in `properties.sourceId`. Ids of an export stay as they are.',
  query: Type.Object({
    partyId: text('Whose fields they are; needed but for an export, of which it picks one party'),
    farmId: text('The farm of all fields'),
    idProperty: text('The property of a feature that is its id'),
    nameProperty: text('The property of a feature that is its name; when absent one that is usual, such as `name`'),
    mode: Type.Optional(
      Type.Enum(['merge', 'replace'], {
        description:
          '`merge`, the usual: what is there keeps members that the file does not have. `replace`: it does not',
      }),
    ),
  }),
  file: { types, maxBytes: 50 * MEBIBYTE },
  isIdempotent: true,
  success: {
    status: 202,
    description: 'The file is stored. Read the import until its status is Succeeded or Failed.',
    content: { 'application/json': { schema: FarmImport, example: importExample('Waiting') } },
    headers: ['Location', 'Retry-After'],
  },
  faults: [farmFaults.conflict, enrollmentFaults.invalid],
  handle: async ({ tenant, objectId: by, query, file, idempotencyKey, origin }, { farm }) => {
    const { partyId, farmId, mode = 'merge', ...names } = query;
    if (partyId !== undefined) requireId('partyId', partyId);
    if (farmId !== undefined) requireId('farmId', farmId);
    const options = { type: file?.type as ImportType, partyId, farmId, ...names, mode };
    const bytes = file?.bytes ?? new Uint8Array();
    const state = await startImport(farm)({ tenant, by, bytes, options: defined(options), idempotencyKey });
    return {
      status: 202,
      json: importView(state),
      headers: { location: `${origin}/${PATH}/${state.job.id}`, 'retry-after': '5' },
    };
  },
});

/** Without members that are undefined. */
const defined = (options: { readonly [Name in keyof ImportOptions]: ImportOptions[Name] | undefined }): ImportOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as unknown as ImportOptions;

/** GET /v1/imports/{importId} */
export const farmImportGet = farmOperation({
  name: 'farmImportGet',
  method: 'GET',
  path: `${PATH}/{importId}`,
  role: 'Farm.Read',
  summary: 'Read an import',
  params: { importId: 'Id of the import' },
  success: {
    status: 200,
    description: 'How far it has come, and what could not be written.',
    content: { 'application/json': { schema: FarmImport, example: importExample('Succeeded') } },
  },
  faults: [],
  handle: async ({ tenant, params: { importId = '' } }, { farm }) => ({
    status: 200,
    json: importView(await getImport(farm)(tenant, importId)),
  }),
});
