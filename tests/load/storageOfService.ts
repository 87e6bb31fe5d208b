/** The storage of a running service, as its own stores see it, with every request counted. */
import { TableClient } from '@azure/data-tables';
import { BlobServiceClient } from '@azure/storage-blob';
import { readFileSync } from 'node:fs';
import { AzureBlobs } from '../../shared/storage/azure/azureBlobs.js';
import { AzureRows } from '../../shared/storage/azure/azureRows.js';
import { EnrollmentInputStore } from '../../shared/enrollments/record/enrollmentInputStore.js';
import { CustomerStore } from '../../shared/access/customers/customerStore.js';
import { EnrollmentStore } from '../../shared/enrollments/record/enrollmentStore.js';
import { FieldStore } from '../../shared/enrollments/fields/fieldStore.js';
import { randomId } from '../../shared/kit/ids.js';
import { BlobImageryStore } from '../../shared/imagery/documents/blobImageryStore.js';
import { BlobFieldGeometrySource } from '../../shared/scenes/pixels/blobFieldGeometrySource.js';
import { TableFieldDateStore } from '../../shared/imagery/records/tableFieldDateStore.js';
import { TableInterestStore } from '../../shared/imagery/interest/tableInterestStore.js';
import { TableFeedStore } from '../../shared/imagery/discovery/tableFeedStore.js';
import { TableSceneStore } from '../../shared/imagery/products/tableSceneStore.js';
import { BlobSliceNotesStore } from '../../shared/imagery/units/blobSliceNotesStore.js';
import { LaneStore } from '../../shared/work/lanes/laneStore.js';
import { WorkStore } from '../../shared/work/item/workStore.js';
import { JobStore } from '../../shared/jobs/jobStore.js';
import type { TableName } from '../../shared/storage/names.js';
import type { LoadedService } from './runningService.js';

export class StorageOfService {
  /** Requests since the beginning. */
  requests = 0;
  readonly jobs: JobStore;
  readonly openWork: WorkStore;
  readonly laneStore: LaneStore;
  readonly customers: CustomerStore;
  readonly enrollments: EnrollmentStore;
  readonly fields: FieldStore;
  readonly fieldDates: TableFieldDateStore;
  readonly interest: TableInterestStore;
  readonly scenes: TableSceneStore;
  readonly feed: TableFeedStore;
  readonly notes: BlobSliceNotesStore;
  readonly inputs: EnrollmentInputStore;
  readonly geometries: BlobFieldGeometrySource;
  readonly imagery: BlobImageryStore;
  readonly #connection: string;
  readonly #ca: string;

  constructor({ settings, service }: Pick<LoadedService, 'settings' | 'service'>) {
    this.#connection = settings['DATA_STORAGE'] ?? '';
    this.#ca = readFileSync(service.caFile, 'utf8');
    this.jobs = new JobStore(this.#rows('work'));
    this.openWork = new WorkStore(this.#rows('work'));
    this.laneStore = new LaneStore(this.#rows('work'));
    this.customers = new CustomerStore(this.#rows('customers'));
    this.enrollments = new EnrollmentStore(this.#rows('enrollments'));
    this.fields = new FieldStore(this.#rows('fields'));
    this.fieldDates = new TableFieldDateStore(this.#rows('fieldDates'));
    this.scenes = new TableSceneStore(this.#rows('scenes'));
    this.feed = new TableFeedStore(this.#rows('feed'));
    this.interest = new TableInterestStore(this.#rows('interest'));
    const trusting = { retryOptions: { maxTries: 3 }, tlsOptions: { ca: this.#ca } };
    const blobs = BlobServiceClient.fromConnectionString(this.#connection, trusting);
    this.inputs = new EnrollmentInputStore(new AzureBlobs(blobs.getContainerClient('enrollment-inputs')));
    this.geometries = new BlobFieldGeometrySource(new AzureBlobs(blobs.getContainerClient('enrollment-inputs')));
    this.notes = new BlobSliceNotesStore(new AzureBlobs(blobs.getContainerClient('enrollment-inputs')));
    // The data account takes the place of the imagery account, whose key is not in the settings.
    this.imagery = new BlobImageryStore(new AzureBlobs(blobs.getContainerClient('insights')));
  }

  #rows(name: TableName): AzureRows {
    return new AzureRows(this.#table(name), randomId);
  }

  #table(name: TableName): TableClient {
    return TableClient.fromConnectionString(this.#connection, name, {
      tlsOptions: { ca: this.#ca },
      additionalPolicies: [
        {
          position: 'perRetry',
          policy: {
            name: 'count',
            sendRequest: (request, next) => {
              this.requests += 1;
              return next(request);
            },
          },
        },
      ],
    });
  }
}
