import type { Position } from '../../shared/geo/shapes/geoJson.js';
import { MAP_COLOURS } from './mapColours.js';
import type { FieldMapOptions } from './mapScene.js';
import { units } from '../parts/units.js';
import { scaleBarOf } from './scales.js';

/** Longest scale bar, CSS pixels. */
const BAR_PIXELS = 110;

/** What stands around the map: its name and state for screen readers, scale bar, whose work tiles or base are. */
export interface MapFurniture {
  /** Draws the bar of a scale; none of the whole world, which nobody looks at. */
  scaled(groundMetresPerPixel: number | undefined): void;
  /** @param corners south-west and north-east of what is in view */
  moved(corners: readonly [Position, Position]): void;
  setBusy(isBusy: boolean): void;
  /** Whose work is below the fields, and where that is. */
  readonly credit: (text: string) => void;
  setTheme(theme: 'light' | 'dark'): void;
  remove(): void;
}

/** Draws a bar for each scale, and again in the other units. */
function scaleBar(element: HTMLElement): { readonly scaled: MapFurniture['scaled']; readonly end: () => void } {
  let last: number | undefined;
  const draw = (): void => {
    element.hidden = last === undefined;
    if (last === undefined) return;
    const bar = scaleBarOf(last, BAR_PIXELS, units.value);
    element.textContent = bar.text;
    element.style.width = `${bar.width}px`;
  };
  return {
    scaled: (groundMetresPerPixel) => {
      last = groundMetresPerPixel;
      draw();
    },
    end: units.subscribe(draw),
  };
}

/** OpenLayers' own scale bar and attribution assign `innerHTML`, which the page's policy refuses. */
export function mapFurniture(element: HTMLElement, { label, theme, tiles }: FieldMapOptions): MapFurniture {
  element.setAttribute('role', 'region');
  element.setAttribute('aria-label', label);
  element.tabIndex = 0;
  const scale = element.appendChild(document.createElement('div'));
  scale.className = 'map-scale';
  scale.ariaHidden = 'true';
  const attribution = element.appendChild(document.createElement('div'));
  attribution.className = 'map-attribution';
  const credit = (text: string): void => {
    attribution.hidden = text === '';
    attribution.textContent = text;
  };
  credit(tiles?.attribution ?? '');
  const setTheme = (chosen: 'light' | 'dark'): void => {
    element.style.backgroundColor = MAP_COLOURS[chosen].ground;
  };
  setTheme(theme);
  const { scaled, end } = scaleBar(scale);
  return {
    scaled,
    moved: (corners) => {
      element.dataset['view'] = corners.flat().join(' ');
    },
    setBusy: (isBusy) => {
      // Told of each picture; who looks at the page is told of a change alone.
      if (element.ariaBusy !== String(isBusy)) element.ariaBusy = String(isBusy);
    },
    credit,
    setTheme,
    remove: () => {
      end();
      scale.remove();
      attribution.remove();
    },
  };
}
