import type { ContainerClient } from '@azure/storage-blob';
import { randomId } from '../../../shared/kit/ids.js';
import { AzureBlobs } from '../../../shared/storage/azure/azureBlobs.js';
import { AzureRows } from '../../../shared/storage/azure/azureRows.js';
import { FieldStore } from '../../../shared/enrollments/fields/fieldStore.js';
import type { Scene } from '../../../shared/scenes/item/scene.js';
import { askRetry } from '../../../shared/imagery/discovery/backfill.js';
import type { ProductKey } from '../../../shared/imagery/products/product.js';
import { TableSceneStore } from '../../../shared/imagery/products/tableSceneStore.js';
import { BlobImageryStore } from '../../../shared/imagery/documents/blobImageryStore.js';
import { TableInterestStore } from '../../../shared/imagery/interest/tableInterestStore.js';
import { BlobFieldGeometrySource } from '../../../shared/scenes/pixels/blobFieldGeometrySource.js';
import { TableFieldDateStore } from '../../../shared/imagery/records/tableFieldDateStore.js';
import { BlobSliceNotesStore } from '../../../shared/imagery/units/blobSliceNotesStore.js';
import type { FanOutPorts } from '../../../shared/imagery/units/fanOut.js';
import type { RunUnitPorts } from '../../../shared/imagery/units/runUnit.js';
import { textOfUnit, UNIT, type UnitKey } from '../../../shared/imagery/units/unit.js';
import { unitKind } from '../../../shared/imagery/units/unitKind.js';
import { enqueuer } from '../../../shared/work/enqueue.js';
import { WorkStore } from '../../../shared/work/item/workStore.js';
import { LEASE_MS, type ToEnrol } from '../imageryUnderTest.js';
import type { CountedStorage } from './countedStorage.js';
import { UnitsUnderTest } from './unitsUnderTest.js';

const tablesOf = async (storage: CountedStorage) => ({
  fields: await storage.table('fields'),
  fieldDates: await storage.table('fieldDates'),
  interest: await storage.table('interest'),
  scenes: await storage.table('scenes'),
  work: await storage.table('work'),
});

async function storesOf(storage: CountedStorage) {
  const { fields, fieldDates, interest, scenes, work } = await tablesOf(storage);
  return {
    fields: new FieldStore(new AzureRows(fields, randomId)),
    fieldDates: new TableFieldDateStore(new AzureRows(fieldDates, randomId)),
    interest: new TableInterestStore(new AzureRows(interest, randomId)),
    scenes: new TableSceneStore(new AzureRows(scenes, randomId)),
    work: new WorkStore(new AzureRows(work, randomId)),
    notes: new BlobSliceNotesStore(new AzureBlobs(await storage.container('enrollment-inputs'))),
    imagery: new BlobImageryStore(new AzureBlobs(await storage.container('imagery'))),
  };
}

/** Imagery by place on the storage emulator: what is enrolled and shown is put there as ingest and feed do. */
export class StoredUnits extends UnitsUnderTest {
  readonly #inputs: ContainerClient;
  readonly #stores: Awaited<ReturnType<typeof storesOf>>;

  private constructor(inputs: ContainerClient, stores: Awaited<ReturnType<typeof storesOf>>) {
    super('2026-06-17T18:00:00Z');
    this.#inputs = inputs;
    this.#stores = stores;
  }

  static async on(storage: CountedStorage): Promise<StoredUnits> {
    return new StoredUnits(await storage.container('enrollment-inputs'), await storesOf(storage));
  }

  /** What no process remembers: each attempt begins as one that has just started does. */
  override get unitPorts(): RunUnitPorts & FanOutPorts {
    const { work, ...stores } = this.#stores;
    const { queues, lanes } = this.kernel;
    const asking = enqueuer({ store: work, queues, clock: this.clock, lanes });
    return {
      ...super.unitPorts,
      ...stores,
      geometries: new BlobFieldGeometrySource(new AzureBlobs(this.#inputs)),
      enqueuer: asking,
      askRetry: askRetry(asking),
    };
  }

  override runUnit(key: UnitKey): Promise<void> {
    const work = { kind: UNIT, id: `|${textOfUnit(key)}` };
    return this.kernel.handle(work, unitKind(this.unitPorts, LEASE_MS), this.kernel.log, this.#stores.work);
  }

  override async enrol(more: ToEnrol): Promise<void> {
    await super.enrol(more);
    const { customer, enrollmentId } = more;
    for (const field of await this.fields.listFields(more)) {
      if (field.status !== 'ready') throw new Error(field.message);
      const { fieldId, shape } = field;
      const [holder] = await this.fields.listHolders(customer, fieldId);
      const geometry = JSON.stringify(await this.ports.geometries.read(customer, shape.geometryHash));
      const name = `${customer}/geometries/${shape.geometryHash}.json`;
      await this.#inputs.getBlockBlobClient(name).upload(geometry, geometry.length);
      const outline = { geometry: JSON.parse(geometry) as never, bbox: shape.bbox, areaHa: shape.areaHa };
      const batch = [{ field, holder: holder!, replaces: undefined, outline }];
      await this.#stores.fields.write({ customer, enrollmentId }, batch);
    }
    const entries = await this.interest.listTile('33UUP');
    await this.#stores.interest.write(entries.filter((entry) => entry.customer === customer));
  }

  override async publish(scene: Scene): Promise<ProductKey> {
    const key = await super.publish(scene);
    const known = await this.scenes.find(key);
    await this.#stores.scenes.put(known!.product, undefined);
    return key;
  }
}
