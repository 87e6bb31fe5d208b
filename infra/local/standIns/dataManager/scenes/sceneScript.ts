import { type Exchange, isJsonObject, jsonReply, type Reply } from '../../http/exchange.js';

/**
 * What is odd about the next ingests:
 * - `licenceRefused`: it ends Failed, the provider doesn't take the credentials;
 * - `ingestFailed`: it ends Failed for another reason;
 * - `cancelled`: it ends Cancelled;
 * - `noScenes`: it succeeds without scenes;
 * - `slow`: it runs for an hour;
 * - `overcast`: every scene is wholly under cloud, and says so in its classification;
 * - `brokenFiles`: every file breaks off half way, though whole in transit;
 * - `oneBrokenFile`: so does B04 of the newest scene;
 * - `foreignLinks`: links to pages and files name another host;
 * - `oddFiles`: the newest scene lists B08 without a link, and a file that is none;
 * - `spacedNames`: the parameters in links to files have spaces around their names;
 * - `geographic`: files lie on a grid in degrees (EPSG:4326), float reflectance 0–1.
 */
export type SceneOddity = (typeof oddities)[number];

const oddities = [
  'licenceRefused',
  'ingestFailed',
  'cancelled',
  'noScenes',
  'slow',
  'overcast',
  'brokenFiles',
  'oneBrokenFile',
  'foreignLinks',
  'oddFiles',
  'spacedNames',
  'geographic',
] as const;

/** The oddities to come, by code or over HTTP: `POST /.control/scenes` with a JSON list of them, one an ingest. */
export class SceneScript {
  #coming: SceneOddity[] = [];

  add(...coming: readonly SceneOddity[]): void {
    this.#coming.push(...coming);
  }

  take(): SceneOddity | undefined {
    return this.#coming.shift();
  }

  clear(): void {
    this.#coming = [];
  }

  /** Answers a control request. */
  control({ body }: Exchange): Reply {
    const names = listIn(body);
    if (names === undefined) return jsonReply(400, { message: `Send a list of ${oddities.join(', ')}.` });
    this.add(...names);
    return { status: 204 };
  }
}

function listIn(body: Buffer): SceneOddity[] | undefined {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    const names = isJsonObject(parsed) ? [] : [parsed].flat();
    const known = names.map((name) => oddities.find((oddity) => oddity === name));
    return known.some((name) => name === undefined) ? undefined : (known as SceneOddity[]);
  } catch {
    return undefined; // the caller is told what a list looks like
  }
}
