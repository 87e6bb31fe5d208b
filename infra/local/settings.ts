import type { StorageReader } from './storageReader.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Azurite } from './azurite/azuriteChild.js';
import type { EventGrid } from './standIns/eventGrid.js';
import { type ForeignTenant, foreignTenants, LICENCE_APP } from './standIns/foreignTenant.js';
import type { Identity } from './standIns/identity.js';
import type { KeyVault } from './standIns/keyVault.js';
import type { StacStandIn } from './standIns/stac.js';
import { withVaults } from './standIns/licenceVault.js';
import { OPERATOR_TENANT, tenantId } from './standIns/tenants.js';
import { ownTenants } from './farmSeed.js';
import type { Weather } from './standIns/weather.js';

/** Everything the service talks to locally. */
export interface LocalParts {
  /** What the service listens on. */
  readonly address: string;
  readonly azurite: {
    readonly connectionStrings: Pick<Azurite['connectionStrings'], 'host' | 'data'>;
    readonly endpoints: Azurite['endpoints'];
  };
  readonly storageReader: Pick<StorageReader, 'blobEndpoint'>;
  readonly identity: Pick<Identity, 'identityEndpoint' | 'identityHeader' | 'issuerPattern' | 'audience' | 'jwksUri'>;
  readonly keyVault: Pick<KeyVault, 'url'>;
  readonly foreign: Pick<ForeignTenant, 'authorityHost' | 'keyVault' | 'otherVault'>;
  /** API_KEY_PEPPERS of this folder. */
  readonly peppers: string;
  readonly weather: Pick<Weather, 'archiveUrl' | 'forecastUrl' | 'powerUrl' | 'metNorwayUrl' | 'terrainUrl'>;
  readonly stac: Pick<StacStandIn, 'apiUrl' | 'host'>;
  /** Undefined unless asked for. */
  readonly eventGrid: Pick<EventGrid, 'topicUrl'> | undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The free hosts of Open-Meteo; their use must be non-commercial. */
const freeOpenMeteo = {
  OPEN_METEO_ARCHIVE_URL: 'https://archive-api.open-meteo.com/v1/archive',
  OPEN_METEO_FORECAST_URL: 'https://api.open-meteo.com/v1/forecast',
};

/**
 * Where the weather comes from. Naming Open-Meteo, or giving its key, means the real one, so the stand-in's addresses
 * are left out then and the app's own defaults hold; a file of days is served by the stand-in whatever is named. Real
 * weather stands on real ground: the synthetic terrain goes with synthetic weather alone.
 */
function weatherSettings(weather: LocalParts['weather'], user: Variables): Record<string, string> {
  const standIn = {
    WEATHER_SOURCE: 'open-meteo,nasa-power,met-norway',
    WEATHER_CONTACT: 'local@partner-field-service.example',
    OPEN_METEO_ARCHIVE_URL: weather.archiveUrl,
    OPEN_METEO_FORECAST_URL: weather.forecastUrl,
    OPEN_METEO_NONCOMMERCIAL: 'true',
    NASA_POWER_URL: weather.powerUrl,
    MET_NORWAY_URL: weather.metNorwayUrl,
    ...(user['NASA_POWER_URL'] === undefined && { TERRAIN_URL: weather.terrainUrl }),
  };
  if (user['WEATHER_CSV'] !== undefined) return { ...standIn, WEATHER_MEASURED: 'true' };
  const nasaPower = { NASA_POWER_URL: weather.powerUrl };
  if (user['OPEN_METEO_API_KEY'] !== undefined) return nasaPower;
  if (user['OPEN_METEO_NONCOMMERCIAL'] === 'true') return { ...nasaPower, ...freeOpenMeteo };
  return user['WEATHER_SOURCE']?.includes('open-meteo') === true ? nasaPower : standIn;
}

/**
 * Where scenes come from. Naming a catalogue means the real one, so the stand-in's addresses are left out then; a
 * folder of scenes is served by the stand-in whatever is named.
 */
function imagerySettings(stac: LocalParts['stac'], user: Variables): Record<string, string> {
  const isReal = user['IMAGERY_SOURCE'] !== undefined && user['STAC_DIR'] === undefined;
  if (isReal) return {};
  const standIn = { IMAGERY_SOURCE: 'earth-search', EARTH_SEARCH_URL: stac.apiUrl, IMAGERY_HOSTS: stac.host };
  // Whoever watches a scene come needn't wait five minutes, and the stand-in minds no questions.
  return { ...standIn, IMAGERY_FEED_SECONDS: '15' };
}

/** Notices are on: the address of the service is the source of events. */
function noticeSettings({ address, peppers, eventGrid }: LocalParts): Record<string, string> {
  return {
    ...{ PUBLIC_URL: address, WEBHOOK_KEYS: peppers, WEBHOOK_LOCAL_HOSTS: '127.0.0.1:9443' },
    ...(eventGrid === undefined ? {} : { NOTICES_TOPIC_URL: eventGrid.topicUrl }),
  };
}

/**
 * The settings the service runs with locally. A variable that the user has set stands above ours: that is how one
 * variable points to the real thing.
 */
export function localSettings(parts: LocalParts, user: Variables): Record<string, string> {
  const { azurite, storageReader, identity, keyVault, foreign, peppers, weather, stac } = parts;
  const settings: Record<string, string> = {
    FUNCTIONS_WORKER_RUNTIME: 'node',
    AZURE_FUNCTIONS_ENVIRONMENT: 'Development',
    AzureWebJobsStorage: azurite.connectionStrings.host,
    DATA_STORAGE: azurite.connectionStrings.data,
    DATA_STORAGE__tableServiceUri: azurite.endpoints.dataTable,
    DATA_STORAGE__queueServiceUri: azurite.endpoints.dataQueue,
    DATA_STORAGE__blobServiceUri: azurite.endpoints.dataBlob,
    IMAGERY_STORAGE__blobServiceUri: azurite.endpoints.imageryBlob,
    BACKUP_STORAGE__blobServiceUri: azurite.endpoints.backupBlob,
    CONSOLE_BLOB_ENDPOINT: storageReader.blobEndpoint,
    IDENTITY_ENDPOINT: identity.identityEndpoint,
    IDENTITY_HEADER: identity.identityHeader,
    API_KEY_PEPPERS: peppers,
    JWT_ISSUERS: identity.issuerPattern,
    JWT_AUDIENCE: identity.audience,
    JWKS_URI: identity.jwksUri,
    OPERATE_TENANT: tenantId(OPERATOR_TENANT),
    AZURE_AUTHORITY_HOST: foreign.authorityHost,
    LICENCE_APP_CLIENT_ID: LICENCE_APP,
    // Tests and benches make thousands of jobs for the few fields there are.
    FARM_INSIGHTS_PER_DAY: '1000000',
    // Not the app's: the register of tenants is seeded from it.
    TENANTS: JSON.stringify({
      ...withVaults(ownTenants, keyVault.url),
      ...foreignTenants(foreign),
    }),
    ...noticeSettings(parts),
    ...weatherSettings(weather, user),
    ...imagerySettings(stac, user),
  };
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, user[name] ?? value]));
}

export const settingsFileIn = (directory: string): string => join(directory, 'settings.json');

/** The settings of the running service, for the commands that work on its storage; readable by the owner alone. */
export function writeSettings(directory: string, settings: Readonly<Record<string, string>>): void {
  writeFileSync(settingsFileIn(directory), `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
}
