import { indexEnrollment } from '../../../shared/imagery/interest/indexEnrollment.js';
import { productKeyOf, withScene, type ProductKey } from '../../../shared/imagery/products/product.js';
import type { Scene } from '../../../shared/scenes/item/scene.js';
import type { SceneReader } from '../../../shared/scenes/pixels/pixelPorts.js';
import { fanOut, type FanOutPorts } from '../../../shared/imagery/units/fanOut.js';
import type { RunUnitPorts } from '../../../shared/imagery/units/runUnit.js';
import {
  textOfUnit,
  UNIT,
  unitKeyOf,
  unitOf,
  type Lane,
  type Unit,
  type UnitKey,
} from '../../../shared/imagery/units/unit.js';
import { unitKind } from '../../../shared/imagery/units/unitKind.js';
import { blockShare, type BlockShare } from '../../../shared/raster/read/blockShare.js';
import type { WorkItem, WorkKey } from '../../../shared/work/item/workItem.js';
import { ScenesInMemory } from '../../support/imageryInMemory.js';
import { ImageryUnderTest, LEASE_MS, type ToEnrol } from '../imageryUnderTest.js';

/** Imagery by place, with everything around it in memory. */
export class UnitsUnderTest extends ImageryUnderTest {
  readonly scenes = new ScenesInMemory();
  /** Reads files in place of the rule of paint. */
  fileReader: SceneReader | undefined;
  newShare = (): BlockShare => blockShare(8_000_000);

  get unitPorts(): RunUnitPorts & FanOutPorts {
    return {
      ...this.ports,
      reader: this.fileReader ?? this.reader,
      scenes: this.scenes,
      enqueuer: this.kernel.enqueuer,
      notes: this.notes,
      newShare: this.newShare,
    };
  }

  /** As ingest does: fields, then the index. */
  override async enrol(more: ToEnrol): Promise<void> {
    await super.enrol(more);
    const key = { customer: more.customer, enrollmentId: more.enrollmentId };
    const stored = (await this.enrollments.find(key))!;
    await indexEnrollment(this)(stored.enrollment, await this.fields.listFields(key));
  }

  /** The catalogue shows a scene, and the feed has seen it. @returns its product */
  async publish(scene: Scene, publishedAt = this.clock.now().toISOString()): Promise<ProductKey> {
    const key = productKeyOf(scene)!;
    const known = await this.scenes.find(key);
    const sighting = { scene, publishedAt, seenAt: this.clock.now().toISOString() };
    await this.scenes.put(withScene(known?.product, key, sighting).product, known?.etag);
    return key;
  }

  fanOut(key: ProductKey): Promise<void> {
    return fanOut(this.unitPorts)(key);
  }

  /** One attempt, as a message of the unit brings it about. */
  runUnit(key: UnitKey): Promise<void> {
    return this.handle({ kind: UNIT, id: `|${textOfUnit(key)}` }, unitKind(this.unitPorts, LEASE_MS));
  }

  sweepUnits() {
    return this.kernel.sweep();
  }

  /** Takes the first message that is visible now, of units of one lane where that is told. */
  async takeUnit(lane?: Lane): Promise<UnitKey | undefined> {
    const now = this.clock.now().getTime();
    for (const message of this.kernel.messages.sent.filter(({ visibleAt }) => visibleAt <= now)) {
      const key = JSON.parse(message.text) as WorkKey;
      if (key.kind !== UNIT) continue;
      const item = lane === undefined ? undefined : await this.kernel.find(key);
      if (lane !== undefined && (item === undefined || unitOf(item).lane !== lane)) continue;
      this.kernel.messages.sent.splice(this.kernel.messages.sent.indexOf(message), 1);
      return unitKeyOf(key);
    }
    return undefined;
  }

  /** Handles every message that is visible now. @returns how many */
  async doUnits(lane?: Lane): Promise<number> {
    let count = 0;
    for (let key = await this.takeUnit(lane); key !== undefined; key = await this.takeUnit(lane)) {
      await this.runUnit(key);
      count += 1;
    }
    return count;
  }

  /** The units that are not done. */
  async openUnits(): Promise<readonly (Unit & WorkItem)[]> {
    const items = await this.kernel.store.list(UNIT);
    return items.map((item) => ({ ...item, ...unitOf(item) }));
  }

  /** What lies in a customer's folder, and what is recorded of the customer: files byte for byte. */
  all(customer: string) {
    const isOwn = ([path]: readonly [string, unknown]): boolean => path.startsWith(`${customer}/`);
    const documents = [...this.imagery.documents].filter(isOwn);
    return {
      files: [...this.imagery.files].filter(isOwn).sort(),
      documents: documents.map(([path, stored]) => [path, stored.document]).sort(),
      records: [...this.fieldDates.rows].filter(([key]) => key.startsWith(`${customer}|`)).sort(),
    };
  }
}
