import type { DegreeDayDefinition } from './degreeDays.js';

/** Version of the table of crops. Every change of a method or a limit needs another version. */
export const cropModelVersion = 'gdd-crops/1';

/** The crops of GDD jobs. */
export const crops = ['CANOLA', 'CORN', 'COTTON', 'SUGAR_BEET', 'SOYBEAN', 'WINTER_WHEAT'] as const;
/** A crop of a GDD job. */
export type Crop = (typeof crops)[number];

/** The degree-day definition of a crop, with its source. */
export interface CropModel extends DegreeDayDefinition {
  /** Who uses this definition; cited in every insight. */
  readonly reference: string;
}

const ndawn = 'NDAWN limits as used by the Montana Mesonet (climate.umt.edu/mesonet/ag_tools/gdds)';

/** The degree-day definition of each crop. Sources differ; docs/gdd.md has the differences. */
export const cropModels: Readonly<Record<Crop, CropModel>> = {
  /** NDAWN's slider ends at 100 °F, which no daily mean reaches: in practice there is no upper limit. */
  CANOLA: { method: 'CLIP', lowerF: 41, reference: `${ndawn}, base 41 °F` },
  /** The 86/50 rule of HPRCC, WRCC and the state extension services. */
  CORN: { method: 'CLIP', lowerF: 50, upperF: 86, reference: `${ndawn}; HPRCC crop_corn.txt; WRCC cliGCStG` },
  /** "DD60": the mean above 60 °F, without an upper limit. */
  COTTON: {
    method: 'AVERAGE',
    lowerF: 60,
    reference: 'DD60: Oklahoma State Extension, Utilizing Heat Units in Oklahoma Cotton Production',
  },
  SUGAR_BEET: { method: 'CLIP', lowerF: 34, upperF: 86, reference: ndawn },
  /** Corn degree-days, to which NDSU fitted its soybean model. */
  SOYBEAN: {
    method: 'CLIP',
    lowerF: 50,
    upperF: 86,
    reference: 'NDSU growing degree day model for North Dakota soybean (2012); coolbean.info',
  },
  WINTER_WHEAT: { method: 'CLIP', lowerF: 32, upperF: 95, reference: `${ndawn}; FAO-56 Rev. 1 table 6.10, 0/35 °C` },
};
