import { workOfProduct } from '../../imagery/products/product.js';
import type { TakeInPorts } from '../../imagery/discovery/takeIn.js';
import { productKind, type FanOutPorts } from '../../imagery/units/fanOut.js';
import type { RunUnitPorts } from '../../imagery/units/runUnit.js';
import { unitKind } from '../../imagery/units/unitKind.js';
import { blockShare } from '../../raster/read/blockShare.js';
import type { Enqueuer } from '../../work/enqueue.js';
import type { WorkKind } from '../../work/item/workKind.js';

/** Unpacked blocks that a unit keeps: those of a cell in all bands of two scenes. */
const SHARE_BYTES = 128 * 1024 * 1024;

/** The kinds of imagery by place as work; nothing is called yet. */
export function unitKindsOf(ports: Omit<RunUnitPorts, 'newShare'> & FanOutPorts, leaseMs: number): readonly WorkKind[] {
  const sharing = { ...ports, newShare: () => blockShare(SHARE_BYTES) };
  return [productKind(ports, leaseMs), unitKind(sharing, leaseMs)];
}

/** Has what a product shows made for everybody who wants it. */
export const askProductOf =
  (enqueuer: Pick<Enqueuer, 'ask'>): TakeInPorts['askProduct'] =>
  (key) =>
    enqueuer.ask(workOfProduct(key));
