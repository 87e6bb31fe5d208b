import type { Box } from './box.js';
import type { Position } from './geoJson.js';
import { segmentsMeet } from './rings.js';

/** From one corner to the next. */
export type Edge = readonly [from: Position, to: Position];

/** Columns and rows of a grid. */
const SIDE = 64;

/** Edges by the cells of a grid that they pass through: an edge is compared with those near it alone. */
export class EdgeGrid {
  readonly #box: Box;
  readonly #cells = new Map<number, Edge[]>();

  /** @param box around all edges */
  constructor(edges: readonly Edge[], box: Box) {
    this.#box = box;
    for (const edge of edges) {
      for (const cell of this.#cellsOf(edge)) {
        const there = this.#cells.get(cell);
        if (there === undefined) this.#cells.set(cell, [edge]);
        else there.push(edge);
      }
    }
  }

  /** Whether an edge has a point in common with one of the grid. */
  meets(edge: Edge): boolean {
    for (const cell of this.#cellsOf(edge)) {
      if (this.#cells.get(cell)?.some((against) => segmentsMeet(edge, against)) === true) return true;
    }
    return false;
  }

  /** In each column the rows between the heights at which the edge enters and leaves it, and one more on either side. */
  *#cellsOf([from, to]: Edge): Generator<number> {
    const [[ax, ay], [bx, by]] = from[0] <= to[0] ? [from, to] : [to, from];
    const [west, south, east, north] = this.#box;
    const [width, height] = [(east - west) / SIDE || 1, (north - south) / SIDE || 1];
    const heightAt = (x: number): number => (bx === ax ? by : ay + ((by - ay) * (x - ax)) / (bx - ax));
    const last = stepOf(bx - west, width);
    for (let column = stepOf(ax - west, width); column <= last; column += 1) {
      const enters = bx === ax ? ay : heightAt(Math.max(ax, west + column * width));
      const leaves = heightAt(Math.min(bx, west + (column + 1) * width));
      const top = stepOf(Math.max(enters, leaves) - south, height) + 1;
      for (let row = stepOf(Math.min(enters, leaves) - south, height) - 1; row <= top; row += 1)
        yield column * 2 * SIDE + row;
    }
  }
}

const stepOf = (distance: number, step: number): number => Math.min(SIDE - 1, Math.max(0, Math.floor(distance / step)));
