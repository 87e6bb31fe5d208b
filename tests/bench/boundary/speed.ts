/**
 * What one prediction costs: a window of 256 × 256 pixels (2.56 km), one, three and six dates, with the network and by
 * the gradient alone, in a large field and in one that is looked at in a close-up as well, and the memory of it all. Wall
 * and CPU time, because the machine may be shared.
 *
 *   npm run bench:boundary
 */
import { performance } from 'node:perf_hooks';
import { SceneRenderer } from '../../../tools/scenes/renderScene.js';
import type { Field } from '../../../tools/scenes/farmland.js';
import { poleOf, wholeFields } from '../../../tools/scenes/seenFields.js';
import type { BoundaryInput } from '../../../shared/boundary/window/boundaryInput.js';
import { predictBoundary } from '../../../shared/boundary/predict/predictBoundary.js';
import type { BoundaryMethod } from '../../../shared/boundary/predict/edgeEvidence.js';
import type { Position } from '../../../shared/geo/shapes/geoJson.js';
import { proposals } from '../../../shared/boundary/predict/proposals.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import { readModelFrom } from '../../../tools/boundary-model/modelAssets.js';
import { medianOf } from '../../../tools/boundary-model/statistics.js';
import { say, sized } from '../figures.js';

const ROUNDS = sized(7);
const SIDE = 256;
const EPSG = 32632;
const window = { originX: 602_000, originY: 5_204_000, width: SIDE, height: SIDE };
const dates = ['2025-06-01', '2025-06-03', '2025-06-06', '2025-06-08', '2025-06-11', '2025-06-13'];

const renderer = new SceneRenderer(EPSG, { seed: 7 });
const scenes = dates.map((date) => {
  const { bands, scl } = renderer.render(window, date, { cloudFraction: 0 });
  return { date, sceneIds: [date], bands, scl };
});
const box = [window.originX, window.originY - 10 * SIDE, window.originX + 10 * SIDE, window.originY] as const;
const grid = { epsg: EPSG, pixelWidth: 10, pixelHeight: 10, ...window };
const model = readModelFrom('shared/boundary/assets');
const fields = wholeFields(renderer.coverOf(window), box).sort((a, b) => b.areaM2 - a.areaM2);
const [largest, small] = [fields[0], fields.find((field) => field.areaM2 < 10_000 && isSoughtCloser(field))];
if (largest === undefined || small === undefined) throw new Error('The window has no whole field of both sizes.');

function pointIn(field: Field): Position {
  return utmProjection(EPSG).toPosition(poleOf(field).place);
}

/** Whether the model takes it for small enough, whatever the number of dates. */
function isSoughtCloser(field: Field): boolean {
  return [1, 3, 6].every((count) => {
    const { ranked } = proposals({ grid, point: pointIn(field), scenes: scenes.slice(0, count) }, model);
    return ranked.some(({ found }) => found.grid.width < grid.width);
  });
}

const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);
let peak = 0;

function timed(input: BoundaryInput, method: BoundaryMethod): { readonly wallMs: number; readonly cpuMs: number } {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  predictBoundary(input, model, { method });
  const { user, system } = process.cpuUsage(cpu);
  peak = Math.max(peak, process.memoryUsage().rss);
  return { wallMs: performance.now() - start, cpuMs: (user + system) / 1000 };
}

say(`${SIDE} × ${SIDE} px, median of ${ROUNDS} after one warm-up; limits: 1 date 1000 ms, 6 dates 3000 ms`);
function report(name: string, point: Position, method: BoundaryMethod): void {
  for (const count of [1, 3, 6]) {
    const input = { grid, point, scenes: scenes.slice(0, count) };
    timed(input, method);
    const rounds = Array.from({ length: ROUNDS }, () => timed(input, method));
    const [wall, cpu] = [medianOf(rounds.map(({ wallMs }) => wallMs)), medianOf(rounds.map(({ cpuMs }) => cpuMs))];
    say(
      `${name.padEnd(9)} ${count} date(s)  ${wall.toFixed(0).padStart(5)} ms wall  ${cpu.toFixed(0).padStart(5)} ms CPU`,
    );
  }
}

report('network', pointIn(largest), 'network');
report('gradient', pointIn(largest), 'gradient');
report('close-up', pointIn(small), 'network');
say(`peak memory ${megabytes(peak)} MB of the whole process, synthetic scenes and warm-up included; limit 400 MB`);
