import { signal } from '@preact/signals';

/** Hectares and degrees Celsius, or acres and degrees Fahrenheit. */
export type Units = 'metric' | 'us';

const KEPT = 'field-console-units';
const HA_OF_ACRE = 0.404_685_642_24;
/** The United States with its territories, and Liberia: where farms are measured in acres and weather in °F. */
const US_REGIONS = new Set(['US', 'PR', 'GU', 'VI', 'AS', 'MP', 'LR']);

/** The units that people of a locale read. @param locale such as `en-US` */
export const unitsOfLocale = (locale: string): Units =>
  US_REGIONS.has(/[-_]([A-Za-z]{2})(?![A-Za-z])/.exec(locale)?.[1]?.toUpperCase() ?? '') ? 'us' : 'metric';

function kept(): Units | undefined {
  try {
    const text = localStorage.getItem(KEPT);
    return text === 'metric' || text === 'us' ? text : undefined;
  } catch {
    return undefined; // Storage is switched off: the locale decides.
  }
}

const isInBrowser = typeof document !== 'undefined';

/** The units that are shown: those that were chosen, else those of the browser's locale. */
export const units = signal<Units>(isInBrowser ? (kept() ?? unitsOfLocale(navigator.language)) : 'metric');

/** Changes to the other units and remembers them. */
export function turnUnits(): void {
  units.value = units.value === 'us' ? 'metric' : 'us';
  try {
    localStorage.setItem(KEPT, units.value);
  } catch {
    // They hold for as long as the page stands.
  }
}

/** An area without its unit. */
export const areaNumber = (areaHa: number, digits: number): string =>
  (units.value === 'us' ? areaHa / HA_OF_ACRE : areaHa).toFixed(digits);

/** What areas are in. */
export const areaUnit = (): string => (units.value === 'us' ? 'ac' : 'ha');

/** The area of one's land, a small field to a hundredth. */
export const landAreaText = (areaHa: number): string => areaText(areaHa, areaHa < 10 ? 2 : 1);

/** An area as people read it. */
export const areaText = (areaHa: number, digits = areaHa < 1000 ? 1 : 0): string =>
  `${areaNumber(areaHa, digits)} ${areaUnit()}`;
