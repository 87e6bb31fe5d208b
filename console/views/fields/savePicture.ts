import { scaleBarOf } from '../../map/scales.js';
import { legendOf } from '../../map/legendParts.js';
import type { FieldMap, MapLayer, ValueRange } from '../../map/mapScene.js';
import { dayText } from '../../parts/dateText.js';
import { fileName, save } from '../../parts/download.js';
import { units } from '../../parts/units.js';
import { LAYERS, type Selection } from './selection.js';

interface Shown {
  readonly selection: Selection;
  /** What the map shows: the layer, or a difference. */
  readonly layer: MapLayer;
  readonly range: ValueRange | undefined;
}

/** Height of the strip below the map and its margins, CSS pixels. */
const STRIP = 64;
const MARGIN = 16;
const LEGEND = { width: 220, height: 12 } as const;
const BAR = 120;
const FONT = '"Figtree", system-ui, sans-serif';

function titleOf({ selection: { field, date, layer, compared } }: Shown): string {
  const name = LAYERS.find((each) => each.layer === layer)?.name ?? layer;
  const dates = [date, ...(compared === undefined ? [] : [compared.date])].toSorted().map(dayText);
  const what = compared?.how === 'difference' ? `${name}, change` : name;
  return [field?.field_id, what, dates.join(' to ')].filter((part) => part !== undefined).join(' · ');
}

function drawLegend(context: CanvasRenderingContext2D, shown: Shown, left: number, top: number): void {
  const legend = legendOf(shown.layer, shown.range);
  if (legend === undefined) return;
  const { colours, ticks } = legend;
  colours.forEach((colour, step) => {
    context.fillStyle = colour;
    const from = left + (step * LEGEND.width) / colours.length;
    context.fillRect(from, top, LEGEND.width / colours.length + 0.5, LEGEND.height);
  });
  context.fillStyle = '#16211c';
  context.font = `12px ${FONT}`;
  ticks.forEach((tick, at) => {
    context.textAlign = at === 0 ? 'left' : at === ticks.length - 1 ? 'right' : 'center';
    context.fillText(tick, left + (at / (ticks.length - 1)) * LEGEND.width, top + LEGEND.height + 15);
  });
  context.textAlign = 'left';
}

function drawScale(context: CanvasRenderingContext2D, metresPerPixel: number, right: number, top: number): void {
  const { text, width } = scaleBarOf(metresPerPixel, BAR, units.value);
  context.strokeStyle = '#16211c';
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(right - width, top);
  context.lineTo(right - width, top + 8);
  context.lineTo(right, top + 8);
  context.lineTo(right, top);
  context.stroke();
  context.fillStyle = '#16211c';
  context.font = `12px ${FONT}`;
  context.textAlign = 'right';
  context.fillText(text, right, top + 24);
  context.textAlign = 'left';
}

const blobOf = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null)
        reject(new Error('This browser could not make a picture of the map: the window is too large.'));
      else resolve(blob);
    }, 'image/png');
  });

/** Saves what the map shows as a picture, with field, layer and date, legend and scale below it. */
export async function savePicture(map: FieldMap, shown: Shown): Promise<void> {
  const { canvas, pixelRatio, metresPerPixel } = map.picture();
  const whole = document.createElement('canvas');
  [whole.width, whole.height] = [canvas.width, canvas.height + Math.round(STRIP * pixelRatio)];
  const context = whole.getContext('2d');
  if (context === null) throw new Error('This browser could not make a picture of the map.');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, whole.width, whole.height);
  context.drawImage(canvas, 0, 0);
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  const [width, top] = [canvas.width / pixelRatio, canvas.height / pixelRatio];
  context.fillStyle = '#16211c';
  context.font = `600 14px ${FONT}`;
  context.fillText(titleOf(shown), MARGIN, top + 22, width - 2 * MARGIN);
  drawLegend(context, shown, MARGIN, top + 32);
  drawScale(context, metresPerPixel, width - MARGIN, top + 32);
  const { field, date, layer } = shown.selection;
  save(fileName(field?.field_id ?? 'fields', date, `${layer}.png`), await blobOf(whole));
}
