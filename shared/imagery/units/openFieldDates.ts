import type { FieldStore } from '../../enrollments/enrollmentPorts.js';
import type { MultiPolygon } from '../../geo/geoJson.js';
import { limiter } from '../../raster/limiter.js';
import type { Grid } from '../../raster/grid.js';
import { polygonAreaHa } from '../../raster/polygonArea.js';
import { standingOf, standsAbove, type FieldDate, type Grounds } from '../records/fieldDate.js';
import { wantedLayers } from '../interest/wantedLayers.js';
import { fieldGridOf } from '../pixels/fieldGrid.js';
import type { FieldGeometrySource } from '../pixels/pixelPorts.js';
import type { FieldDateStore } from '../records/tableFieldDateStore.js';
import { layersToMake } from '../records/judgement.js';
import type { LayerName } from '../layers/layers.js';
import { scenesOf, type RenderUnit, type UnitField } from './renderUnit.js';
import type { SliceNotes } from './sliceNotes.js';

/** A field of a unit of which something is still to be made. */
export interface OpenFieldDate {
  readonly field: UnitField;
  readonly geometry: MultiPolygon;
  /** The grid of all its pictures. */
  readonly grid: Grid;
  readonly areaHa: number;
  /** What will be found rests on. */
  readonly grounds: Grounds;
  /** What is recorded of the day so far. */
  readonly recorded: FieldDate | undefined;
  readonly toMake: readonly LayerName[];
}

export interface OpenFieldDatePorts {
  readonly fields: Pick<FieldStore, 'listHolders'>;
  readonly fieldDates: Pick<FieldDateStore, 'list'>;
  readonly geometries: FieldGeometrySource;
}

const CONCURRENT_READS = 8;

/**
 * What the work rests on. When a better basis is recorded already and lacks what is wanted, its scenes can't be had any
 * more, as after a change of the catalogue: then its place is taken knowingly.
 */
const groundsAfter = (recorded: FieldDate | undefined, own: Grounds): Grounds =>
  recorded !== undefined && standsAbove(recorded.standing, own.standing)
    ? { ...own, standing: recorded.standing }
    : own;

/**
 * The fields of a unit of which something is missing, with the layers that all active enrollments together want. A
 * field that nobody monitors any more is not among them.
 *
 * @param notes by which most days that were never recorded are known to be so
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
      // Older days may have been recorded since by work without notes.
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
