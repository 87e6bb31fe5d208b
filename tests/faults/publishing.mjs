// A catalogue that begins empty and shows scenes one after the other, for experiments on work by place.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyScene, dayAfter, makeScenes, SCENE_TILE } from './backfill.mjs';
import { pause } from './quiet.mjs';

/** Older than what polls leave to the next one, so that the next shows it. */
const SHOWN_AGO_MS = 45_000;

/** Scenes of one place that are shown when it is asked for. */
export class Publishing {
  /** What STAC_DIR names. */
  folder;
  /** Days that are shown. */
  days = [];
  #scenes;
  #waiting = mkdtempSync(join(tmpdir(), 'waiting-'));

  constructor(fields) {
    this.#scenes = makeScenes(fields, 1);
    this.folder = join(this.#waiting, 'catalogue');
    mkdirSync(this.folder);
  }

  /** Settings of a service that is to see them at once. */
  get environment() {
    return { STAC_DIR: this.folder, IMAGERY_FEED_SECONDS: '2' };
  }

  /** Some of the fields of the place, by new names where some are given. */
  fields(from, to, names = []) {
    const features = this.#scenes.geojson.features.slice(from, to).map((feature, index) => {
      const field_id = names[index] ?? feature.properties.field_id;
      return { ...feature, properties: { ...feature.properties, field_id } };
    });
    return {
      geojson: { type: 'FeatureCollection', features },
      fieldIds: features.map(({ properties }) => properties.field_id),
    };
  }

  /** Shows a clear scene of a day, whole at once. */
  show(day) {
    const folder = copyScene(this.#scenes, { from: this.#scenes.days[0], to: day, into: this.#waiting });
    const file = join(folder, 'item.json');
    const item = JSON.parse(readFileSync(file, 'utf8'));
    const instant = new Date(Date.now() - SHOWN_AGO_MS).toISOString();
    const properties = { ...item.properties, created: instant, updated: instant };
    writeFileSync(file, JSON.stringify({ ...item, properties }));
    renameSync(folder, join(this.folder, `S2B_31TGN_${day}`));
    this.days = [...this.days, day].sort();
  }

  remove() {
    this.#scenes.remove();
    rmSync(this.#waiting, { recursive: true, force: true });
  }
}

const today = () => new Date().toISOString().slice(0, 10);

/** So many days until yesterday. */
export const lastDays = (count) => Array.from({ length: count }, (_, index) => dayAfter(today(), index - count));

/** Waits until the index has entries of so many customers: what is shown from then on is made by place. */
export async function untilIndexed(world, customers, limitMs = 60_000) {
  const deadline = Date.now() + limitMs;
  while (Date.now() < deadline) {
    const entries = await world.storage.rows('interest', `PartitionKey eq '${SCENE_TILE}'`);
    if (new Set(entries.map(({ rowKey }) => rowKey.split('|')[1])).size >= customers) return;
    await pause(100);
  }
}
