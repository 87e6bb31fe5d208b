import type { FieldDatePlace } from './recordPorts.js';
import type { LayerName } from '../layers/layers.js';

/** The two fixed segments of the specification's storage path; the SAS opens everything below the first. */
export const SERVICE_SEGMENT = 'field-imagery';
export const SOURCE_SEGMENT = 'sentinel-2';

/** A day's STAC Item: written last, so that what it names is whole. */
export const ITEM_FILE = 'metadata.json';
/** A field's STAC Collection: every day that was looked at. */
export const INDEX_FILE = 'index.json';
/** A field's STAC ItemCollection: the items of all days with files, for GDAL. */
export const ITEMS_FILE = 'items.json';
/** A field's statistics by date, for spreadsheets and notebooks. */
export const STATISTICS_FILE = 'statistics.csv';

export const fieldPath = (customer: string, fieldId: string): string =>
  `${customer}/${SERVICE_SEGMENT}/${SOURCE_SEGMENT}/${fieldId}`;

export const datePath = ({ customer, fieldId, date }: FieldDatePlace): string =>
  `${fieldPath(customer, fieldId)}/${date}`;

export const layerFile = (layer: LayerName): string => `${layer}.tiff`;
