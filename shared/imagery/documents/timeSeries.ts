import { csvText, type CsvValue } from '../../kit/csvText.js';
import type { LayerName } from '../../scenes/layers/layers.js';
import type { FieldDate } from '../../enrollments/fields/fieldDate.js';

type Json = Readonly<Record<string, unknown>>;

/** Statistics of a layer over the field, in the units of the layer's file. */
export interface LayerStatistics {
  readonly mean: number;
  readonly p2: number;
  readonly p50: number;
  readonly p98: number;
  /** Share of the field that the layer shows clear, 0–100; absent in documents of earlier versions. */
  readonly clear_percent?: number;
}

/** The statistics of a day, of the `SERIES_LAYERS` alone. */
export type DayStatistics = Readonly<Partial<Record<LayerName, LayerStatistics>>>;

/** Layers whose values can be compared between days; colours and ranks within the field can't. */
export const SERIES_LAYERS: readonly LayerName[] = ['ndvi', 'vegetation'];

const clearOf = ({ 'fieldimagery:clear_percent': clear }: Json): Pick<LayerStatistics, 'clear_percent'> =>
  typeof clear === 'number' ? { clear_percent: clear } : {};

/** The statistics of an asset's only band; undefined when it has none. */
export function statisticsOfAsset(asset: Json): LayerStatistics | undefined {
  const [band] = (asset['bands'] ?? []) as readonly Json[];
  const { mean } = (band?.['statistics'] ?? {}) as { readonly mean?: number };
  const { p2, p50, p98 } = (band?.['fieldimagery:percentiles'] ?? {}) as Partial<LayerStatistics>;
  if (mean === undefined || p2 === undefined || p50 === undefined || p98 === undefined) return undefined;
  return { mean, p2, p50, p98, ...clearOf(asset) };
}

const HEADER = ['date', 'layer', 'mean', 'p2', 'p50', 'p98', 'clear_percent', 'scene'];

/** A day of the series. */
export interface SeriesDay extends Pick<FieldDate, 'date' | 'clearPercent' | 'scenes'> {
  readonly statistics: DayStatistics | undefined;
}

/** A field's `statistics.csv`: a line for each day and layer that has statistics. */
export function seriesCsv(days: readonly SeriesDay[]): string {
  const rows = days.flatMap(({ date, clearPercent, scenes, statistics = {} }) =>
    SERIES_LAYERS.flatMap((layer): CsvValue[][] => {
      const found = statistics[layer];
      if (found === undefined) return [];
      const { mean, p2, p50, p98, clear_percent: clear = clearPercent } = found;
      return [[date, layer, mean, p2, p50, p98, clear, scenes.join(' ')]];
    }),
  );
  return csvText([HEADER, ...rows]);
}

/** Whether a `statistics.csv` has only its header. */
export const isEmptySeries = (csv: string): boolean => csv === csvText([HEADER]);
