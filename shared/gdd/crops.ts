import type { DegreeDayDefinition } from './degreeDays.js';

/**
 * Version of the table below: any change of a method or a limit makes another version, since a sum means nothing
 * without its definition.
 */
export const cropModelVersion = 'gdd-crops/1';

export const crops = ['CANOLA', 'CORN', 'COTTON', 'SUGAR_BEET', 'SOYBEAN', 'WINTER_WHEAT'] as const;
export type Crop = (typeof crops)[number];

export interface CropModel extends DegreeDayDefinition {
  /** Who uses this definition; cited in every insight. */
  readonly reference: string;
}

const ndawn = 'NDAWN limits as used by the Montana Mesonet (climate.umt.edu/mesonet/ag_tools/gdds)';

/** The degree-day definition of each crop. Sources disagree; docs/gdd.md tells by how much. */
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
  /** Corn degree-days, as NDSU fitted its soybean model to them. */
  SOYBEAN: {
    method: 'CLIP',
    lowerF: 50,
    upperF: 86,
    reference: 'NDSU growing degree day model for North Dakota soybean (2012); coolbean.info',
  },
  WINTER_WHEAT: { method: 'CLIP', lowerF: 32, upperF: 95, reference: `${ndawn}; FAO-56 Rev. 1 table 6.10, 0/35 °C` },
};
