import type { components } from './generated.js';

type StorageAccess = components['schemas']['StorageAccess'];
type Layer = components['schemas']['EnrollmentRequest']['layers'][number]['layer'];

/** A day on which a field was looked at. */
export interface IndexedDay {
  readonly date: string;
  readonly outcome: string;
  readonly clear_percent: number | null;
  readonly layers: readonly Layer[];
}

/** All that reading the customer's files takes. */
export interface FolderAccess {
  /** Address of the folder, without a slash at the end. */
  readonly url: string;
  /** The query that opens what lies there: not for a log. */
  readonly sasToken: string;
  readonly endsAt: Date;
}

/** Tokens are fetched anew this long before they end. */
const MARGIN_MS = 5 * 60_000;

/** Reads the files of a customer straight from storage, with a token that is renewed as long as they are read. */
export class FieldStorage {
  readonly #access: () => Promise<StorageAccess>;
  readonly #endpoint: string | undefined;
  #current: Promise<FolderAccess> | undefined;

  constructor(access: () => Promise<StorageAccess>, endpoint?: string) {
    this.#access = access;
    this.#endpoint = endpoint;
  }

  /** Every day on which a field was looked at, oldest first; none before the first. */
  async dates(fieldId: string): Promise<readonly IndexedDay[]> {
    const answer = await this.read(`sentinel-2/${encodeURIComponent(fieldId)}/index.json`);
    if (answer === undefined) return [];
    return ((await answer.json()) as { readonly 'fieldimagery:dates': readonly IndexedDay[] })['fieldimagery:dates'];
  }

  /** A layer's GeoTIFF of one day; undefined when there is none. */
  async layer(fieldId: string, date: string, layer: Layer): Promise<Uint8Array | undefined> {
    const answer = await this.read(`sentinel-2/${encodeURIComponent(fieldId)}/${date}/${layer}.tiff`);
    return answer === undefined ? undefined : new Uint8Array(await answer.arrayBuffer());
  }

  /** A file below the customer's folder; undefined when it isn't there. */
  async read(path: string): Promise<Response | undefined> {
    const { url, sasToken } = await this.folder();
    const answer = await fetch(`${url}/${path}?${sasToken}`);
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw new Error(`Storage answered ${answer.status} for ${path}: ${await answer.text()}`);
    return answer;
  }

  /** Where the folder lies and what opens it, good for five minutes at least: for other programs that read. */
  async folder(): Promise<FolderAccess> {
    const known = await this.#current?.catch(() => undefined);
    if (known === undefined || known.endsAt.getTime() - MARGIN_MS < Date.now()) this.#current = this.#renewed();
    return (this.#current ??= this.#renewed());
  }

  async #renewed(): Promise<FolderAccess> {
    const { account_name: account, file_system: fileSystem, path, sas_token: sasToken } = await this.#access();
    const endpoint = this.#endpoint ?? `https://${account}.blob.core.windows.net`;
    const endsAt = new Date(new URLSearchParams(sasToken).get('se') ?? '');
    return { url: `${endpoint}/${fileSystem}/${path}`, sasToken, endsAt };
  }
}
