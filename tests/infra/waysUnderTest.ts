/** Runs of the ways that CONTRIBUTING.md lists: real requests to the whole service in memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enrollmentsSubmit } from '../../functions/enrollments/submit.js';
import { gddCreate } from '../../functions/gdd/create.js';
import { DEMO_FARM } from '../../infra/local/demo/farms.js';
import { imageryFeed } from '../../functions/imagery/feed.js';
import { aCollection, aSubmittedRequest } from '../enrollments/builders.js';
import { CalledFiles } from '../support/calledFiles.js';
import { multipartBody, multipartType, submissionParts } from '../support/multipart.js';
import { burgundyField, writeBurgundyScene } from '../support/sceneFiles.js';
import { ServiceInMemory } from '../support/serviceInMemory.js';
import { clickDay } from './consoleUnderTest.js';
import type { Run } from './ways.js';

const NOW = '2026-06-15T12:00:00Z';
const FEED_MS = 300_000;
const field = {
  type: 'Feature',
  properties: { field_id: 'north' },
  geometry: burgundyField,
};

/** The service with a catalogue of small scenes, and what it has called. */
export class WaysUnderTest {
  readonly #scenes: string;
  readonly #service: ServiceInMemory;
  readonly #called: CalledFiles;

  private constructor(scenes: string, service: ServiceInMemory, called: CalledFiles) {
    this.#scenes = scenes;
    this.#service = service;
    this.#called = called;
  }

  static async start(): Promise<WaysUnderTest> {
    const called = await CalledFiles.start();
    const scenes = mkdtempSync(join(tmpdir(), 'scenes-'));
    return new WaysUnderTest(scenes, await ServiceInMemory.start(scenes, { now: NOW, duties: [imageryFeed] }), called);
  }

  async stop(): Promise<void> {
    await this.#called.stop();
    await this.#service.stop();
    rmSync(this.#scenes, { recursive: true });
  }

  /** Paths of all images and of their documents. */
  async images(): Promise<readonly string[]> {
    return (await this.#service.images.list('')).map(({ name }) => name);
  }

  /** How many insights are stored. */
  async insights(): Promise<number> {
    return (await this.#service.insights.list('')).length;
  }

  /** A GDD job is asked for, and done. */
  runGddJob(): Promise<Run> {
    const { identity } = this.#service.around;
    const { partyId, fieldIds } = DEMO_FARM;
    const parameters = { partyId, resourceType: 'Field', resourceId: fieldIds[0], crop: 'CORN' };
    const season = { gddStartDate: '2026-05-01', gddEndDate: '2026-09-30' };
    const body = { requestPath: '/v1/gdd/spring-corn', partnerRequestBody: { ...parameters, ...season } };
    const headers = {
      authorization: `Bearer ${identity.issueToken()}`,
      'content-type': 'application/json',
    };
    return this.#run(() => this.#service.call(gddCreate, { headers, body: Buffer.from(JSON.stringify(body)) }));
  }

  /** A customer uploads a field of which the catalogue has a scene, and waits for its picture. */
  async uploadField(): Promise<Run> {
    await this.#show('2026-06-12', '2026-06-12T14:00:00Z');
    const apiKey = await this.#service.newCustomer('contoso');
    const request = aSubmittedRequest({ start_date: '2026-06-10', end_date: '2026-06-30' });
    const parts = submissionParts(JSON.stringify(request), JSON.stringify(aCollection([field])));
    const headers = { 'api-key': apiKey, 'content-type': multipartType() };
    return this.#run(() => this.#service.call(enrollmentsSubmit, { headers, body: multipartBody(parts) }));
  }

  /** The catalogue shows another scene of the field that was uploaded, and the next poll is due. */
  async showScene(): Promise<Run> {
    await this.#show('2026-06-14', '2026-06-15T11:55:00Z');
    await this.#service.openDuties();
    await this.#service.clock.advance(FEED_MS);
    return this.#run();
  }

  /** Someone who looks at the later picture in the console clicks the day of the earlier one. */
  clickDay(): Promise<Run> {
    const read = async (path: string): Promise<Uint8Array | undefined> =>
      (await this.#service.images.read(path))?.bytes;
    const { geometry } = field;
    const farm = { customer: 'contoso', fieldId: 'north', geometry, days: ['2026-06-12', '2026-06-14'] as const, read };
    return clickDay(farm, this.#called, '12 June 2026');
  }

  async #run(begin: () => Promise<string> = () => Promise.resolve('')): Promise<Run> {
    await this.#called.take();
    const name = await begin();
    const queues = await this.#service.deliver();
    const files = await this.#called.take();
    const handOvers = [
      ...(name === '' ? [] : [`function ${name}`]),
      ...queues.map((queue) => `queue ${queue}`),
      ...this.#service.dutiesDone().map((duty) => `duty ${duty}`),
    ];
    return { files, handOvers: new Set(handOvers) };
  }

  async #show(date: string, shownAt: string): Promise<void> {
    await writeBurgundyScene(this.#scenes, date, { created: shownAt, updated: shownAt });
  }
}
