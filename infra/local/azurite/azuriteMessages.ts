import { join } from 'node:path';
import type { ServiceUrls } from './accounts.js';

/** How the parent tells the Azurite process what to do, as JSON in this variable. */
export const optionsVariable = 'AZURITE_OPTIONS';

export interface AzuriteProcessOptions {
  /** Holds `azurite/`, the data, unless it is in memory. */
  readonly directory: string;
  readonly inMemory: boolean;
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly ports: { readonly blob: number; readonly queue: number; readonly table: number };
}

/** Where the data lies, and the file that names the process which owns it. */
export const dataDirectory = (directory: string): string => join(directory, 'azurite');
export const ownerFile = (directory: string): string => join(dataDirectory(directory), 'owner.json');

/** From the Azurite process: all three services answer, and everything they need is created. */
export interface AzuriteReady {
  readonly type: 'ready';
  readonly urls: ServiceUrls;
}

/** To the Azurite process: who uses it. Should we die, it ends when that process has ended too. */
export interface AzuriteUser {
  readonly type: 'user';
  readonly pid: number;
}
