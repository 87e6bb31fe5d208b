import { workOfProduct } from '../imagery/discovery/product.js';
import { TableSceneStore } from '../imagery/discovery/tableSceneStore.js';
import type { TakeInPorts } from '../imagery/discovery/takeIn.js';
import { TableInterestStore } from '../imagery/interest/tableInterestStore.js';
import { BlobSliceNotesStore } from '../imagery/units/blobSliceNotesStore.js';
import { productKind } from '../imagery/units/fanOut.js';
import type { RenderPorts } from '../imagery/units/renderScenes.js';
import { unitKind } from '../imagery/units/unitKind.js';
import type { Clock } from '../clock.js';
import { blockShare } from '../raster/blockShare.js';
import type { Enqueuer } from '../work/enqueue.js';
import type { WorkKind } from '../work/workKind.js';
import type { DataStorage } from './storageClients.js';

/** Unpacked blocks that a unit keeps: those of a cell in all bands of two scenes. */
const SHARE_BYTES = 128 * 1024 * 1024;

/** The kinds of imagery by place as work; nothing is called yet. */
export function unitKindsOf(
  render: RenderPorts & { readonly clock: Clock; readonly enqueuer: Enqueuer },
  { forWork }: { readonly forWork: DataStorage },
  leaseMs: number,
): readonly WorkKind[] {
  const ports = {
    ...render,
    scenes: new TableSceneStore(forWork.rows('scenes')),
    interest: new TableInterestStore(forWork.rows('interest')),
    notes: new BlobSliceNotesStore(forWork.blobs('enrollment-inputs')),
    newShare: () => blockShare(SHARE_BYTES),
  };
  return [productKind(ports, leaseMs), unitKind(ports, leaseMs)];
}

/** Has what a product shows made for everybody who wants it. */
export const askProductOf =
  (enqueuer: Pick<Enqueuer, 'ask'>): TakeInPorts['askProduct'] =>
  (key) =>
    enqueuer.ask(workOfProduct(key));
