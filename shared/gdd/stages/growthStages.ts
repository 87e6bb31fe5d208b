import type { Crop } from '../days/crops.js';
import type { DegreeDayDefinition } from '../days/degreeDays.js';
import type { TemperatureUnit } from '../days/temperature.js';

/** A stage is reached at the sum `threshold`; where the source gives a range, `upTo` is its upper end. */
interface GrowthStage {
  readonly code: string;
  readonly name: string;
  readonly threshold: number;
  readonly upTo?: number;
}

/** Where a model's thresholds were observed, with similar country around: degrees, WGS 84. */
export interface StageRegion {
  readonly name: string;
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

/** Stages with their own degree-day definition, which need not be that of the job's sum. */
export interface StageModel {
  readonly definition: DegreeDayDefinition;
  /** Unit of the thresholds, degree-days. */
  readonly unit: TemperatureUnit;
  /** First day of the sum: that of the season, or the first 1 January in it. */
  readonly countedFrom: 'planting' | '1 January';
  readonly reference: string;
  /** Limits of the dates, for the reader. */
  readonly caution: string;
  readonly region: StageRegion;
  readonly stages: readonly GrowthStage[];
}

const corn8650: DegreeDayDefinition = { method: 'CLIP', lowerF: 50, upperF: 86 };

/**
 * Published thresholds; varieties differ.
 *
 * Cotton's later stages are published from emergence: the 50 to 60 degree-days from planting to emergence are added, 50
 * to lower ends and 60 to upper ends.
 */
export const stageModels: Readonly<Record<Crop, StageModel>> = {
  CORN: {
    definition: corn8650,
    unit: 'F',
    countedFrom: 'planting',
    reference: 'University of Wisconsin corn development thresholds, CLIP 50/86 °F from planting',
    caution:
      'for hybrids of relative maturity 95 to 105; until six leaves the growing point is in the soil, whose warmth that of ' +
      'the air stands for',
    region: { name: 'the Corn Belt', south: 36, north: 49, west: -104, east: -80 },
    stages: [
      { code: 'V8', name: '8 leaves', threshold: 600 },
      { code: 'V13', name: '13 leaves', threshold: 900 },
      { code: 'VT', name: 'tasseling', threshold: 1200 },
      { code: 'R3', name: 'milk', threshold: 1550 },
      { code: 'R4', name: 'dough', threshold: 1900 },
      { code: 'R5', name: 'dent', threshold: 2200 },
      { code: 'R6', name: 'maturity', threshold: 2400, upTo: 2600 },
    ],
  },
  SOYBEAN: {
    definition: corn8650,
    unit: 'F',
    countedFrom: 'planting',
    reference: 'NDSU growing degree day model for North Dakota soybean, CLIP 50/86 °F, planting to R8',
    caution: 'low confidence: soybean follows the length of the day as much as warmth',
    region: { name: 'North Dakota and the Upper Midwest', south: 42, north: 50, west: -106, east: -84 },
    stages: [
      { code: 'R8 (RM 00.8)', name: 'maturity', threshold: 1694 },
      { code: 'R8 (RM 0.5)', name: 'maturity', threshold: 1890 },
      { code: 'R8 (RM 1.1)', name: 'maturity', threshold: 2058 },
    ],
  },
  COTTON: {
    definition: { method: 'AVERAGE', lowerF: 60 },
    unit: 'F',
    countedFrom: 'planting',
    reference: 'Oklahoma State Extension, Utilizing Heat Units in Oklahoma Cotton Production (DD60)',
    caution: 'modern varieties are earlier',
    region: { name: 'the cotton states of the USA', south: 26, north: 38, west: -120, east: -75 },
    stages: [
      { code: 'emergence', name: 'emergence', threshold: 50, upTo: 60 },
      { code: 'branch', name: 'first fruiting branch', threshold: 350, upTo: 400 },
      { code: 'square', name: 'first square', threshold: 475, upTo: 535 },
      { code: 'bloom', name: 'white bloom', threshold: 875, upTo: 935 },
      { code: 'peak bloom', name: 'peak bloom', threshold: 1435, upTo: 1495 },
      { code: 'open boll', name: 'open boll', threshold: 1750, upTo: 1810 },
      { code: 'harvest', name: 'harvest', threshold: 2200, upTo: 2600 },
    ],
  },
  SUGAR_BEET: {
    definition: corn8650,
    unit: 'F',
    countedFrom: 'planting',
    reference: 'HPRCC crop_sugarbeet.txt, CLIP 50/86 °F (not the 34/86 °F of the job’s sum)',
    caution: 'thresholds of canopy growth, not of sugar yield',
    region: { name: 'the High Plains', south: 36, north: 49, west: -110, east: -90 },
    stages: [
      { code: 'cover 20–30 %', name: 'ground cover', threshold: 247 },
      { code: 'cover 50–70 %', name: 'ground cover', threshold: 637 },
      { code: 'full cover', name: 'full cover', threshold: 1486 },
      { code: 'max leaf area', name: 'maximum leaf area', threshold: 1619, upTo: 1718 },
    ],
  },
  CANOLA: {
    definition: { method: 'AVERAGE', lowerF: 32 },
    unit: 'C',
    countedFrom: 'planting',
    reference: 'Canola Council of Canada, mean above 0 °C',
    caution: 'a round figure',
    region: { name: 'the Canadian prairies', south: 47, north: 58, west: -120, east: -88 },
    stages: [{ code: 'maturity', name: 'maturity', threshold: 1500 }],
  },
  WINTER_WHEAT: {
    definition: { method: 'AVERAGE', lowerF: 32 },
    unit: 'F',
    countedFrom: '1 January',
    reference: 'Kansas State Mesonet, mean above 32 °F from 1 January (mesonet.k-state.edu/agriculture/wheat/gdd)',
    caution: 'fitted in Kansas',
    region: { name: 'Kansas and the plains around it', south: 35, north: 45, west: -106, east: -86 },
    stages: [
      { code: 'jointing', name: 'jointing', threshold: 800, upTo: 1200 },
      { code: 'boot', name: 'boot', threshold: 1200, upTo: 1400 },
      { code: 'heading', name: 'heading', threshold: 1400, upTo: 1800 },
      { code: 'flowering', name: 'flowering', threshold: 1800, upTo: 2200 },
      { code: 'milk', name: 'milk', threshold: 2200, upTo: 2600 },
      { code: 'mature', name: 'maturity', threshold: 3000 },
    ],
  },
};
