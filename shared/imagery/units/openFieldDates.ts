import type { FieldStore } from '../../enrollments/fields/fieldStore.js';
import type { MultiPolygon } from '../../geo/shapes/geoJson.js';
import { limiter } from '../../kit/limiter.js';
import type { Grid } from '../../geo/grid/grid.js';
import { polygonAreaHa } from '../../geo/grid/polygonArea.js';
import { standingOf, standsAbove, type FieldDate, type Grounds } from '../../enrollments/fields/fieldDate.js';
import { wantedLayers } from '../interest/wantedLayers.js';
import { fieldGridOf } from '../../scenes/pixels/fieldGrid.js';
import type { FieldGeometrySource } from '../../scenes/pixels/pixelPorts.js';
import type { FieldDateStore } from '../records/tableFieldDateStore.js';
import { layersToMake } from '../records/judgement.js';
import type { LayerName } from '../../scenes/layers/layers.js';
import { scenesOf, type RenderUnit, type UnitField } from './renderUnit.js';
import type { SliceNotes } from './sliceNotes.js';

/** A field of a unit that still lacks layers. */
export interface OpenFieldDate {
  readonly field: UnitField;
  readonly geometry: MultiPolygon;
  /** The grid of all the field's pictures. */
  readonly grid: Grid;
  readonly areaHa: number;
  /** The grounds of the record to come. */
  readonly grounds: Grounds;
  /** The present record of the day. */
  readonly recorded: FieldDate | undefined;
  readonly toMake: readonly LayerName[];
}

/** What `openFieldDates` needs. */
export interface OpenFieldDatePorts {
  readonly fields: Pick<FieldStore, 'listHolders'>;
  readonly fieldDates: Pick<FieldDateStore, 'list'>;
  readonly geometries: FieldGeometrySource;
}

const CONCURRENT_READS = 8;

/**
 * The grounds of the work. A record of a better basis that lacks wanted layers is replaced, because the catalogue no longer
 * lists its scenes: the work then takes the standing of that record.
 */
const groundsAfter = (recorded: FieldDate | undefined, own: Grounds): Grounds =>
  recorded !== undefined && standsAbove(recorded.standing, own.standing)
    ? { ...own, standing: recorded.standing }
    : own;

/**
 * The fields of a unit that lack layers which an active enrollment wants. Fields that nobody monitors any more are left out.
 *
 * @param notes the cache, which tells of most new days that they have no record
 */
export const openFieldDates =
  ({ fields, fieldDates, geometries }: OpenFieldDatePorts) =>
  async (customer: string, unit: RenderUnit, notes?: SliceNotes): Promise<readonly OpenFieldDate[]> => {
    const { date, fields: members } = unit;
    const reading = limiter(CONCURRENT_READS);
    const look = async (field: UnitField): Promise<OpenFieldDate | undefined> => {
      const { fieldId, geometryHash } = field;
      const wanted = field.wanted ?? wantedLayers(await fields.listHolders(customer, fieldId), { geometryHash, date });
      if (wanted.length === 0) return undefined;
      const noted = notes?.of(field)?.documents.lastDate;
      // Only a day after the last cached one is new: work without the cache may have recorded earlier days.
      const isNew = noted !== undefined && noted < date;
      const [recorded] = isNew ? [] : await fieldDates.list(customer, fieldId, { from: date, to: date });
      const own = { basis: field.basis, standing: standingOf(geometryHash, scenesOf(unit, field)) };
      const toMake = layersToMake(recorded, own, wanted);
      if (toMake.length === 0) return undefined;
      const geometry = await geometries.read(customer, geometryHash);
      const { grid = fieldGridOf(geometry), areaHa = polygonAreaHa(geometry) } = field;
      return { field, recorded, toMake, geometry, grid, areaHa, grounds: groundsAfter(recorded, own) };
    };
    const open = await Promise.all(members.map((field) => reading(() => look(field))));
    return open.filter((entry) => entry !== undefined);
  };
