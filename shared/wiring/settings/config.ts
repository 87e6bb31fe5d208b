/**
 * Every setting of the service, read once from the environment. A missing or bad one stops the start, all faults
 * listed at once; the table of docs/configuration.md and the deployment's settings are compared with `settings` by test.
 */
import { canarySettings } from '../../operate/canary/canarySettings.js';
import { consoleSettings, loginFaults } from '../../http/pages/consoleSettings.js';
import { enrollmentSettings } from '../../enrollments/record/enrollmentSettings.js';
import { farmSettings } from '../../farm/upkeep/farmSettings.js';
import { imagerySettings } from '../../scenes/imagerySettings.js';
import { foldedId, isUuid } from '../../kit/ids.js';
import { telemetrySettings } from '../../kit/telemetry/telemetrySettings.js';
import { flag, text, url, wholeNumber, type Setting } from '../../kit/setting.js';
import { noticeSettingFaults, webhookSettings } from '../../notices/secrets/webhookSettings.js';

const weatherProviders = ['open-meteo', 'nasa-power', 'met-norway'] as const;
export type WeatherProvider = (typeof weatherProviders)[number];

function weatherSources(value: string): readonly WeatherProvider[] {
  const names = value.split(',').map((name) => name.trim());
  const providers = names.flatMap((name) => weatherProviders.find((each) => each === name) ?? []);
  if (new Set(providers).size !== names.length || providers.every((name) => name === 'met-norway')) {
    throw new Error(
      'must be open-meteo, nasa-power and met-norway, or some of them, separated by commas, the preferred one first; met-norway alone has no past',
    );
  }
  return providers;
}

/** It stands in a header of every request to MET Norway. */
function contact(value: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(value) || !/[@.]/.test(value)) {
    throw new Error('must be a site or an e-mail address, without spaces');
  }
  return value;
}

function issuers(value: string): readonly string[] {
  const list = value.split(',').map((issuer) => issuer.trim());
  if (list.some((issuer) => issuer === '')) throw new Error('must be issuers separated by commas');
  return list;
}

function tenantId(value: string): string {
  if (!isUuid(value) || value !== foldedId(value)) throw new Error('must be a UUID in lower case');
  return value;
}

const OPEN_METEO_FREE_HOSTS = new Set(['archive-api.open-meteo.com', 'api.open-meteo.com']);

/** The settings by name; the order is the order of the table in docs/configuration.md. */
export const settings = {
  DATA_STORAGE__tableServiceUri: {
    meaning: 'Table service of the data account.',
    example: 'https://fielddata.table.core.windows.net',
    parse: url,
  },
  DATA_STORAGE__queueServiceUri: {
    meaning: 'Queue service of the data account.',
    example: 'https://fielddata.queue.core.windows.net',
    parse: url,
  },
  DATA_STORAGE__blobServiceUri: {
    meaning: 'Blob service of the data account.',
    example: 'https://fielddata.blob.core.windows.net',
    parse: url,
  },
  BACKUP_STORAGE__blobServiceUri: {
    meaning: 'Blob service of the backup account, which takes the exports of every night; it lies in another region.',
    example: 'https://fieldbackups.blob.core.windows.net',
    parse: url,
  },
  AZURE_CLIENT_ID: {
    meaning: "Client id of the user-assigned managed identity; the system-assigned one when it isn't set.",
    example: '9a1c…',
    optional: true,
    parse: text,
  },
  JWT_ISSUERS: {
    meaning: 'Accepted token issuers, separated by commas; `{tid}` stands for the tenant of the token.',
    example: 'https://login.microsoftonline.com/{tid}/v2.0',
    parse: issuers,
  },
  JWT_AUDIENCE: {
    meaning:
      "The audience a token must name: in tokens of version 2 (issuer with `/v2.0`) the client id of the service's app registration; in those of version 1 it may be its `api://…`.",
    example: '6f0b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2d',
    parse: text,
  },
  JWKS_URI: {
    meaning: "Where the issuer's signing keys are.",
    example: 'https://login.microsoftonline.com/organizations/discovery/v2.0/keys',
    parse: url,
  },
  OPERATE_TENANT: {
    meaning:
      'Entra tenant of those who run the service, whose tokens with the role `Operate` or `Release` open `/operate/v1`; nobody when absent.',
    example: '7b1c2e9a-4d5f-4a6b-8c7d-9e0f1a2b3c4d',
    optional: true,
    parse: tenantId,
  },
  AZURE_AUTHORITY_HOST: {
    meaning: "Where Entra gives tokens for what lies in a tenant's own Entra tenant; sovereign clouds have their own.",
    example: 'https://login.microsoftonline.us',
    fallback: 'https://login.microsoftonline.com',
    parse: url,
  },
  PUBLIC_URL: {
    meaning:
      'Where callers reach the service, for the absolute links of farm data and as the source of events; the address of the request when absent.',
    example: 'https://fields.contoso.com',
    optional: true,
    parse: url,
  },
  LICENCE_APP_CLIENT_ID: {
    meaning:
      "Client id of the multi-tenant app that is federated with the service's identity; needed when a tenant has an `azureTenantId`.",
    example: '5e3b…',
    optional: true,
    parse: text,
  },
  WEATHER_SOURCE: {
    meaning:
      'Weather sources, the preferred one first: `open-meteo` (wants a key), `nasa-power` (the past), `met-norway` (the days to come; wants `WEATHER_CONTACT`).',
    example: 'open-meteo,nasa-power,met-norway',
    fallback: 'nasa-power,met-norway',
    parse: weatherSources,
  },
  WEATHER_CONTACT: {
    meaning:
      'Site or e-mail address of whoever runs the service; MET Norway wants it in every request and is left out without it.',
    example: 'fields@contoso.com',
    optional: true,
    parse: contact,
  },
  OPEN_METEO_ARCHIVE_URL: {
    meaning: 'Archive endpoint of Open-Meteo.',
    example: 'https://customer-archive-api.open-meteo.com/v1/archive',
    fallback: 'https://customer-archive-api.open-meteo.com/v1/archive',
    parse: url,
  },
  OPEN_METEO_FORECAST_URL: {
    meaning: 'Forecast endpoint of Open-Meteo.',
    example: 'https://customer-api.open-meteo.com/v1/forecast',
    fallback: 'https://customer-api.open-meteo.com/v1/forecast',
    parse: url,
  },
  OPEN_METEO_API_KEY: {
    meaning: 'Key of the commercial Open-Meteo hosts (in Azure a Key Vault reference).',
    example: '@Microsoft.KeyVault(SecretUri=…)',
    optional: true,
    parse: text,
  },
  OPEN_METEO_NONCOMMERCIAL: {
    meaning: '`true` states that the use is non-commercial: the free hosts of Open-Meteo are then used without a key.',
    example: 'true',
    fallback: 'false',
    parse: flag,
  },
  NASA_POWER_URL: {
    meaning: 'Daily point endpoint of NASA POWER.',
    example: 'https://power.larc.nasa.gov/api/temporal/daily/point',
    fallback: 'https://power.larc.nasa.gov/api/temporal/daily/point',
    parse: url,
  },
  MET_NORWAY_URL: {
    meaning: 'Locationforecast endpoint `complete` of MET Norway.',
    example: 'https://api.met.no/weatherapi/locationforecast/2.0/complete',
    fallback: 'https://api.met.no/weatherapi/locationforecast/2.0/complete',
    parse: url,
  },
  WEATHER_MEASURED: {
    meaning:
      '`true` states that the weather sources tell days measured at the field, such as those of stations of your own: they are taken as they are, without looking for bias or parts of days and without bridging gaps.',
    example: 'true',
    fallback: 'false',
    parse: flag,
  },
  TERRAIN_URL: {
    meaning: 'Folder of the tiles of the terrain model Copernicus DEM GLO-90, for the height of a field.',
    example: 'https://copernicus-dem-90m.s3.amazonaws.com',
    fallback: 'https://copernicus-dem-90m.s3.amazonaws.com',
    parse: url,
  },
  FORECAST_DAYS: {
    meaning: 'Days from today on for which the forecast is trusted; later days are normals. 1 to 9.',
    example: '5',
    fallback: '8',
    parse: wholeNumber(1, 9),
  },
  JOB_RETENTION_DAYS: {
    meaning: 'Days after its end at which a job and its insight are deleted.',
    example: '90',
    fallback: '90',
    parse: wholeNumber(1, 3650),
  },
  DEPENDENCY_PATIENCE_HOURS: {
    meaning: 'Hours that a job waits for storage, scenes or weather that cannot be had, before the job fails.',
    example: '24',
    fallback: '24',
    parse: wholeNumber(1, 168),
  },
  JOB_LEASE_SECONDS: {
    meaning:
      'Seconds an attempt owns its job or its enrollment without a heartbeat; a heartbeat comes three times in it.',
    example: '60',
    fallback: '60',
    parse: wholeNumber(3, 600),
  },
  JOBS_AT_WORK: {
    meaning: 'Jobs of each kind that a tenant may have at work at the same time; further ones wait for their turn.',
    example: '8',
    fallback: '8',
    parse: wholeNumber(1, 1000),
  },
  ...telemetrySettings,
  ...farmSettings,
  ...enrollmentSettings,
  ...imagerySettings,
  ...webhookSettings,
  ...canarySettings,
  ...consoleSettings,
} as const satisfies Record<string, Setting<unknown>>;

type Settings = typeof settings;
type Value<S> = S extends { readonly parse: (text: string) => infer T }
  ? S extends { readonly optional: true }
    ? T | undefined
    : T
  : never;

/** The settings as values. */
export type Config = { readonly [Name in keyof Settings]: Value<Settings[Name]> };

/** All faults of the configuration at once. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(`The configuration has ${faults.length} fault(s):\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * The configuration from the environment.
 *
 * @throws ConfigError that names every missing or bad variable, its rule and an example; never its value
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting<unknown>>(settings)) {
    const raw = environment[name] ?? setting.fallback;
    if (raw === undefined || raw === '') {
      if (setting.optional !== true) faults.push(`${name} is missing. ${setting.meaning} Example: ${setting.example}`);
      continue;
    }
    try {
      values[name] = setting.parse(raw);
    } catch (error) {
      faults.push(`${name} ${ruleOf(error)}. ${setting.meaning} Example: ${setting.example}`);
    }
  }
  const config = values as Config;
  if (faults.length === 0)
    faults.push(
      ...audienceFaults(config),
      ...openMeteoFaults(config),
      ...loginFaults(config),
      ...noticeSettingFaults(config),
    );
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

function ruleOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'must be JSON';
  return error instanceof Error ? error.message : 'is not valid';
}

/** Tokens of version 2 name the client id alone: with another audience every token would be refused. */
function audienceFaults({ JWT_ISSUERS: issuers, JWT_AUDIENCE: audience }: Config): string[] {
  if (!audience.startsWith('api://') || !issuers.every((issuer) => issuer.endsWith('/v2.0'))) return [];
  return [
    'JWT_AUDIENCE must be the client id of the app registration: tokens of the issuers in JWT_ISSUERS name no api://….',
  ];
}

/** The real Open-Meteo is free for non-commercial use only, so running on it without a key must be said aloud. */
function openMeteoFaults(config: Config): string[] {
  if (!config.WEATHER_SOURCE.includes('open-meteo') || config.OPEN_METEO_API_KEY !== undefined) return [];
  const hosts = [config.OPEN_METEO_ARCHIVE_URL, config.OPEN_METEO_FORECAST_URL].map(
    (address) => new URL(address).hostname,
  );
  if (hosts.some((host) => host.startsWith('customer-') && host.endsWith('.open-meteo.com'))) {
    return ['OPEN_METEO_API_KEY is missing: the commercial hosts of Open-Meteo want a key.'];
  }
  if (!config.OPEN_METEO_NONCOMMERCIAL && hosts.some((host) => OPEN_METEO_FREE_HOSTS.has(host))) {
    return ['OPEN_METEO_API_KEY is missing: set it, or OPEN_METEO_NONCOMMERCIAL=true for non-commercial use.'];
  }
  return [];
}
