import type { ProductKey } from '../imagery/discovery/product.js';
import { TableSceneStore } from '../imagery/discovery/tableSceneStore.js';
import { TableInterestStore } from '../imagery/interest/tableInterestStore.js';
import { BlobSliceNotesStore } from '../imagery/units/blobSliceNotesStore.js';
import { fanOut } from '../imagery/units/fanOut.js';
import type { RenderPorts } from '../imagery/units/renderScenes.js';
import { runUnit } from '../imagery/units/runUnit.js';
import { unitQueue } from '../imagery/imageryQueue.js';
import { forgetUnits, reviveUnit, sweepUnits, type UnitSweepCount } from '../imagery/units/sweepUnits.js';
import { TableUnitStore } from '../imagery/units/tableUnitStore.js';
import type { UnitMessage } from '../imagery/units/unitMessage.js';
import { unitOfText } from '../imagery/units/unitWork.js';
import type { AttemptPorts } from '../imagery/work/attempt.js';
import type { NewId } from '../ids.js';
import { blockShare } from '../raster/blockShare.js';
import { currentTraceparent } from '../telemetry/trace.js';
import type { DataStorage } from './storageClients.js';

/** Imagery by place. */
export interface UnitServices {
  /** Opens the units that a product asks for. */
  readonly fanOut: (product: ProductKey) => Promise<void>;
  /** One attempt at a unit. */
  readonly run: (message: UnitMessage) => Promise<void>;
  /** Sends lost messages again and fills up the late lane. */
  readonly sweep: () => Promise<UnitSweepCount>;
  /** Forgets what was done a month ago. @returns how many units */
  readonly forget: () => Promise<number>;
  /** Decides about a unit whose message the host has given up. */
  readonly revive: (unit: string) => Promise<void>;
}

/** Unpacked blocks that a unit keeps: those of a cell in all bands of two scenes. */
const SHARE_BYTES = 128 * 1024 * 1024;

/** Builds what fans products out and works on units; nothing is called yet. */
export function unitServices(
  render: RenderPorts & AttemptPorts,
  { forWork, newId }: { readonly forWork: DataStorage; readonly newId: NewId },
): UnitServices {
  const ports = {
    ...render,
    newId,
    scenes: new TableSceneStore(forWork.rows('scenes')),
    interest: new TableInterestStore(forWork.rows('interest')),
    units: new TableUnitStore(forWork.rows('imageryUnits'), render.clock),
    unitQueue: unitQueue(
      { live: forWork.messages('imagery-live'), late: forWork.messages('imagery-late') },
      { clock: render.clock, traceparent: currentTraceparent },
    ),
    notes: new BlobSliceNotesStore(forWork.blobs('enrollment-inputs')),
    newShare: () => blockShare(SHARE_BYTES),
  };
  const run = runUnit(ports);
  const revive = reviveUnit(ports);
  return {
    fanOut: fanOut(ports),
    run: ({ unit, shown }) => run({ ...unitOfText(unit), ...(shown === undefined ? {} : { shown }) }),
    sweep: sweepUnits(ports),
    forget: forgetUnits(ports),
    revive: (unit) => revive(unitOfText(unit)),
  };
}
