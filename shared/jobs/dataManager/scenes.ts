/** Types of the scenes service of a data manager, which fetches satellite scenes of a field and serves their files. */

/** Images of Sentinel-2: bands by their product names, and the scene classification. */
export type SceneImage = 'B02' | 'B03' | 'B04' | 'B08' | 'SCL';

/** Which scenes of which field. Calendar days are UTC days of acquisition, both included. */
export interface DataManagerSceneQuery {
  readonly partyId: string;
  readonly fieldId: string;
  readonly from: string;
  readonly to: string;
  readonly collection: 'sentinel-2-l2a';
}

/** An ingest to be started. */
export interface SceneRequest extends DataManagerSceneQuery {
  readonly images: readonly SceneImage[];
  /** Metres. */
  readonly resolution: 10 | 20 | 60;
  /** Of the licence that pays at the provider; the data manager reads the secret from the key vault. Absent for public scenes. */
  readonly credentials?: {
    readonly clientId: string;
    readonly clientSecret: { readonly keyVaultUri: string; readonly keyName: string; readonly keyVersion: string };
  };
}

/** The present state of an ingest; an unknown status counts as running. */
export interface IngestJob {
  readonly id: string;
  readonly status: 'running' | 'succeeded' | 'failed' | 'cancelled';
  readonly message?: string;
  readonly errorCode?: string;
}

/** One image file of a scene. */
export interface DataManagerSceneFile {
  /** Name of the image, such as `B02`. */
  readonly name: string;
  /** Metres. */
  readonly resolution: number;
  /** Opaque name for `readSceneFile`; never an address. */
  readonly filePath: string;
}

/** A satellite scene with its files. */
export interface DataManagerScene {
  readonly id: string;
  /** UTC day of the acquisition, YYYY-MM-DD. */
  readonly date: string;
  /** Product name at the provider, such as `S2B_MSIL2A_20230821T170859_…`. */
  readonly itemId?: string;
  /** 0–100. */
  readonly cloudCoverPercent?: number;
  readonly files: readonly DataManagerSceneFile[];
}
