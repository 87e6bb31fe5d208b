import { areNoticesOn, type NoticeSwitches } from '../../notices/log/noticeSwitches.js';
import { text, url, type Setting } from '../../kit/setting.js';
import { isTileTemplate, isWholeTemplate, type ShownTiles } from './pageTiles.js';

function onOrOff(value: string): boolean {
  if (value !== 'on' && value !== 'off') throw new Error('must be on or off');
  return value === 'on';
}

/** Address of map tiles with places for zoom, column and row, or of a TileJSON that tells where they are. */
function tilesUrl(value: string): string {
  if (isTileTemplate(value) && !isWholeTemplate(value)) throw new Error('must hold {z}, {x} and {y}');
  url(value.replaceAll(/[{}]/g, ''));
  return value;
}

/** Settings of the console, the page for people. */
export const consoleSettings = {
  CONSOLE: {
    meaning: '`on` serves the console below `/console/`; `off` leaves it out, with its address at `/`.',
    example: 'off',
    fallback: 'on',
    parse: onOrOff,
  },
  CONSOLE_BLOB_ENDPOINT: {
    meaning:
      'Address of the imagery account as browsers reach it; `IMAGERY_STORAGE__blobServiceUri` when it is not set.',
    example: 'https://fieldimagery.blob.core.windows.net',
    optional: true,
    parse: url,
  },
  CONSOLE_TILES_URL: {
    meaning:
      'Map tiles below the fields: their address with `{z}`, `{x}` and `{y}`, or that of a TileJSON, which the service reads; when it is not set, a built-in base and a grid of kilometres.',
    example: 'https://tiles.contoso.com/{z}/{x}/{y}.png',
    optional: true,
    parse: tilesUrl,
  },
  CONSOLE_TILES_ATTRIBUTION: {
    meaning: 'Whom the tiles are from, shown as plain text on the map; what the TileJSON says when it is not set.',
    example: '© Contoso',
    optional: true,
    parse: text,
  },
  CONSOLE_LOGIN_CLIENT_ID: {
    meaning:
      'Client id of the app registration by which people sign in for jobs; with its authority and scope, or none of the three.',
    example: '7c2e…',
    optional: true,
    parse: text,
  },
  CONSOLE_LOGIN_AUTHORITY: {
    meaning: 'Where they sign in.',
    example: 'https://login.microsoftonline.com/organizations',
    optional: true,
    parse: url,
  },
  CONSOLE_LOGIN_SCOPE: {
    meaning: 'The scope that is asked for.',
    example: '6f0b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2d/.default',
    optional: true,
    parse: text,
  },
} as const satisfies Record<string, Setting<unknown>>;

/** The parsed settings that the console uses. */
export interface ConsoleConfig extends Readonly<Record<OptionalName, string | undefined>>, NoticeSwitches {
  readonly CONSOLE: boolean;
  readonly IMAGERY_STORAGE__blobServiceUri: string;
}

type OptionalName = Exclude<keyof typeof consoleSettings, 'CONSOLE'>;

/** Faults of the settings for signing in: all three are set, or none. */
export function loginFaults(config: ConsoleConfig): readonly string[] {
  const names = ['CONSOLE_LOGIN_CLIENT_ID', 'CONSOLE_LOGIN_AUTHORITY', 'CONSOLE_LOGIN_SCOPE'] as const;
  const missing = names.filter((name) => config[name] === undefined);
  if (missing.length === 0 || missing.length === names.length) return [];
  return [`${missing.join(' and ')} is missing: signing in takes ${names.join(', ')}, or none of them.`];
}

/** Settings that are sent to the page, all of them public. */
export interface PageSettings extends ShownTiles {
  /** Blob service of the imagery account as browsers reach it, without a slash at the end. */
  readonly blobEndpoint: string;
  readonly login: { readonly clientId: string; readonly authority: string; readonly scope: string } | null;
  /** Whether the service tells of events. */
  readonly notices: boolean;
  readonly version: string;
}

/** The settings of the page. @param version of the service */
export function pageSettingsOf(config: ConsoleConfig, version: string, shown: ShownTiles): PageSettings {
  return {
    blobEndpoint: config.CONSOLE_BLOB_ENDPOINT ?? config.IMAGERY_STORAGE__blobServiceUri,
    ...shown,
    login: loginOf(config),
    notices: areNoticesOn(config),
    version,
  };
}

function loginOf(config: ConsoleConfig): PageSettings['login'] {
  const { CONSOLE_LOGIN_CLIENT_ID: clientId, CONSOLE_LOGIN_AUTHORITY: authority, CONSOLE_LOGIN_SCOPE: scope } = config;
  if (clientId === undefined || authority === undefined || scope === undefined) return null;
  return { clientId, authority, scope };
}
