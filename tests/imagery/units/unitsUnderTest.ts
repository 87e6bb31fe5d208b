import { indexEnrollment } from '../../../shared/imagery/interest/indexEnrollment.js';
import { productKeyOf, withScene, type ProductKey } from '../../../shared/imagery/discovery/product.js';
import type { Scene } from '../../../shared/imagery/catalogue/scene.js';
import type { SceneReader } from '../../../shared/imagery/imageryPorts.js';
import { fanOut, type FanOutPorts } from '../../../shared/imagery/units/fanOut.js';
import { runUnit, type RunUnitPorts } from '../../../shared/imagery/units/runUnit.js';
import { sweepUnits } from '../../../shared/imagery/units/sweepUnits.js';
import type { Lane, OpenUnit, UnitNotice } from '../../../shared/imagery/units/unitWork.js';
import { blockShare, type BlockShare } from '../../../shared/raster/blockShare.js';
import { ScenesInMemory, UnitsInMemory } from '../../support/imageryInMemory.js';
import { MemorySliceNotesStore, MemoryUnitQueue } from '../../support/memoryUnitStores.js';
import { ImageryUnderTest, type ToEnrol } from '../imageryUnderTest.js';

/** Imagery by place, with everything around it in memory. */
export class UnitsUnderTest extends ImageryUnderTest {
  readonly scenes = new ScenesInMemory();
  readonly units: UnitsInMemory;
  readonly notes = new MemorySliceNotesStore();
  readonly unitQueue: MemoryUnitQueue;
  /** Reads files in place of the rule of paint. */
  fileReader: SceneReader | undefined;
  newShare = (): BlockShare => blockShare(8_000_000);
  #ids = 0;

  constructor(start?: string) {
    super(start);
    this.units = new UnitsInMemory(this.clock);
    this.unitQueue = new MemoryUnitQueue(() => this.clock.now().getTime());
  }

  get unitPorts(): RunUnitPorts & FanOutPorts {
    return {
      ...this.ports,
      reader: this.fileReader ?? this.reader,
      scenes: this.scenes,
      units: this.units,
      unitQueue: this.unitQueue,
      notes: this.notes,
      newId: () => String((this.#ids += 1)),
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

  runUnit(notice: UnitNotice): Promise<void> {
    return runUnit(this.unitPorts)(notice);
  }

  sweepUnits() {
    return sweepUnits(this.unitPorts)();
  }

  /** Handles every message that is visible now. @returns how many */
  async doUnits(lane?: Lane): Promise<number> {
    let count = 0;
    for (let key = this.unitQueue.take(lane); key !== undefined; key = this.unitQueue.take(lane)) {
      await this.runUnit(key);
      count += 1;
    }
    return count;
  }

  get openUnits(): readonly OpenUnit[] {
    return this.units.open;
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
