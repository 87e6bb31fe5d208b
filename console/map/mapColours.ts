/** What the canvas is drawn with; contrast against the ground is at least 3 : 1 for all that carries meaning. */
export interface MapColours {
  readonly ground: string;
  readonly gridLine: string;
  readonly gridLineStrong: string;
  /** Coasts and borders, and the names of towns: quieter than all that is of the fields. */
  readonly baseLine: string;
  readonly baseName: string;
  readonly outline: string;
  readonly hatch: string;
  readonly selected: string;
  readonly halo: string;
  readonly text: string;
  readonly found: string;
  readonly alternative: string;
  readonly fault: string;
  readonly busy: string;
}

/** Colours of each theme. */
export const MAP_COLOURS: Readonly<Record<'light' | 'dark', MapColours>> = {
  light: {
    ground: '#e9e6da',
    gridLine: '#e0dccd',
    gridLineStrong: '#d3cebb',
    baseLine: '#a39d86',
    baseName: '#66634f',
    outline: 'rgb(26 42 34 / 0.72)',
    hatch: 'rgb(58 60 50 / 0.34)',
    selected: '#0a1a12',
    halo: '#ffffff',
    text: '#16231c',
    found: '#0f6b47',
    alternative: '#7a4d00',
    fault: '#b3261e',
    busy: '#0f6b47',
  },
  dark: {
    ground: '#0a0e0c',
    gridLine: '#141a17',
    gridLineStrong: '#1f2824',
    baseLine: '#46554d',
    baseName: '#8a9990',
    outline: 'rgb(222 232 226 / 0.72)',
    hatch: 'rgb(205 216 210 / 0.3)',
    selected: '#ffffff',
    halo: '#0a0e0c',
    text: '#eef4f0',
    found: '#5fcf9a',
    alternative: '#e9b44c',
    fault: '#ff8d84',
    busy: '#5fcf9a',
  },
};
