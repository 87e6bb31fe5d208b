import type { LayerName } from '../../scenes/layers/layers.js';

/** Where a field's files lie. */
export interface FieldPlace {
  readonly customer: string;
  readonly fieldId: string;
}

/** Where a field's files of one day lie. */
export interface FieldDatePlace extends FieldPlace {
  readonly date: string;
}

/** The two fixed segments of the specification's storage path; the SAS opens everything below the first. */
export const SERVICE_SEGMENT = 'field-imagery';
export const SOURCE_SEGMENT = 'sentinel-2';

/** A day's STAC Item: written after the files that it names. */
export const ITEM_FILE = 'metadata.json';
/** A field's STAC Collection: every day on which a scene shows the field. */
export const INDEX_FILE = 'index.json';
/** A field's STAC ItemCollection: the items of all days with files, for GDAL. */
export const ITEMS_FILE = 'items.json';
/** A field's statistics by date, for spreadsheets and notebooks. */
export const STATISTICS_FILE = 'statistics.csv';

/** The folder of a field. */
export const fieldPath = (customer: string, fieldId: string): string =>
  `${customer}/${SERVICE_SEGMENT}/${SOURCE_SEGMENT}/${fieldId}`;

/** The folder of a field's day. */
export const datePath = ({ customer, fieldId, date }: FieldDatePlace): string =>
  `${fieldPath(customer, fieldId)}/${date}`;

/** The name of a layer's file. */
export const layerFile = (layer: LayerName): string => `${layer}.tiff`;
