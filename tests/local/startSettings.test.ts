import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { readyText } from '../../infra/local/serviceFile.js';
import { localSettings, type LocalParts } from '../../infra/local/settings.js';
import { foreignTenants, LICENCE_APP } from '../../infra/local/standIns/foreignTenant.js';
import { tenantId } from '../../infra/local/standIns/tenants.js';

const parts: LocalParts = {
  address: 'http://127.0.0.1:7071',
  azurite: {
    connectionStrings: { host: 'host-connection', data: 'data-connection' },
    endpoints: { dataBlob: 'b', dataQueue: 'q', dataTable: 't', imageryBlob: 'i', backupBlob: 'k' },
  },
  identity: {
    identityEndpoint: 'e',
    identityHeader: 'h',
    issuerPattern: 'iss/{tid}',
    audience: 'aud',
    jwksUri: 'keys',
  },
  keyVault: { url: 'https://vault' },
  foreign: {
    authorityHost: 'https://entra',
    keyVault: { url: 'https://their-vault' },
    otherVault: { url: 'https://other-vault' },
  },
  peppers: '{"1":"cGVwcGVy"}',
  weather: {
    archiveUrl: 'archive',
    forecastUrl: 'forecast',
    powerUrl: 'power',
    metNorwayUrl: 'met',
    terrainUrl: 'terrain',
  },
  stac: { apiUrl: 'http://127.0.0.1:1/v1', host: '127.0.0.1:1' },
  eventGrid: undefined,
  storageReader: { blobEndpoint: 'http://127.0.0.1:3/fieldimagery' },
};

/** Names of secrets that the vault does not have. */
const withoutLicence = {
  clientIdSecret: 'other-imagery-client-id',
  clientSecretSecret: 'other-imagery-client-secret',
};

describe('the settings of the local service', () => {
  test('name every local part, and the account key only where the host needs it', () => {
    expect(localSettings(parts, {})).toEqual({
      FUNCTIONS_WORKER_RUNTIME: 'node',
      AZURE_FUNCTIONS_ENVIRONMENT: 'Development',
      AzureWebJobsStorage: 'host-connection',
      DATA_STORAGE: 'data-connection',
      DATA_STORAGE__tableServiceUri: 't',
      DATA_STORAGE__queueServiceUri: 'q',
      DATA_STORAGE__blobServiceUri: 'b',
      IMAGERY_STORAGE__blobServiceUri: 'i',
      BACKUP_STORAGE__blobServiceUri: 'k',
      CONSOLE_BLOB_ENDPOINT: 'http://127.0.0.1:3/fieldimagery',
      IDENTITY_ENDPOINT: 'e',
      IDENTITY_HEADER: 'h',
      API_KEY_PEPPERS: '{"1":"cGVwcGVy"}',
      JWT_ISSUERS: 'iss/{tid}',
      JWT_AUDIENCE: 'aud',
      JWKS_URI: 'keys',
      OPERATE_TENANT: tenantId('operator'),
      AZURE_AUTHORITY_HOST: 'https://entra',
      LICENCE_APP_CLIENT_ID: LICENCE_APP,
      TENANTS: JSON.stringify({
        [tenantId('demo')]: { keyVaultUrl: 'https://vault' },
        [tenantId('unlicensed')]: { keyVaultUrl: 'https://vault', ...withoutLicence },
        ...foreignTenants(parts.foreign),
        [tenantId('service')]: { keyVaultUrl: 'https://vault', ...withoutLicence },
      }),
      WEATHER_SOURCE: 'open-meteo,nasa-power,met-norway',
      WEATHER_CONTACT: 'local@partner-field-service.example',
      OPEN_METEO_ARCHIVE_URL: 'archive',
      OPEN_METEO_FORECAST_URL: 'forecast',
      OPEN_METEO_NONCOMMERCIAL: 'true',
      NASA_POWER_URL: 'power',
      MET_NORWAY_URL: 'met',
      TERRAIN_URL: 'terrain',
      IMAGERY_SOURCE: 'earth-search',
      EARTH_SEARCH_URL: 'http://127.0.0.1:1/v1',
      FARM_INSIGHTS_PER_DAY: '1000000',
      IMAGERY_HOSTS: '127.0.0.1:1',
      IMAGERY_FEED_SECONDS: '15',
      PUBLIC_URL: 'http://127.0.0.1:7071',
      WEBHOOK_KEYS: '{"1":"cGVwcGVy"}',
      WEBHOOK_LOCAL_HOSTS: '127.0.0.1:9443',
    });
  });

  test('leave the catalogue of scenes to the real one when the user names it', () => {
    const names = Object.keys(localSettings(parts, { IMAGERY_SOURCE: 'earth-search' }));
    expect(names).not.toContain('EARTH_SEARCH_URL');
    expect(names).not.toContain('IMAGERY_HOSTS');
    expect(names).not.toContain('IMAGERY_FEED_SECONDS');
  });

  test('name the topic for events that was asked for', () => {
    expect(localSettings(parts, {})).not.toHaveProperty('NOTICES_TOPIC_URL');
    const withTopic = { ...parts, eventGrid: { topicUrl: 'https://127.0.0.1:5/api/events' } };
    expect(localSettings(withTopic, {})).toMatchObject({ NOTICES_TOPIC_URL: 'https://127.0.0.1:5/api/events' });
  });

  test('give way to what the user has set', () => {
    expect(localSettings(parts, { TENANTS: '{"a":1}', JWKS_URI: 'real' })).toMatchObject({
      TENANTS: '{"a":1}',
      JWKS_URI: 'real',
    });
  });

  test.each([{ WEATHER_SOURCE: 'open-meteo' }, { OPEN_METEO_API_KEY: 'key' }])(
    'leave Open-Meteo to the real one when the user says %j',
    (user) => {
      const names = Object.keys(localSettings(parts, user)).filter((name) => name.startsWith('OPEN_METEO'));
      expect(names).toEqual([]);
    },
  );

  test.each([{ NASA_POWER_URL: 'real' }, { OPEN_METEO_API_KEY: 'key' }, { OPEN_METEO_NONCOMMERCIAL: 'true' }])(
    'leave the terrain to the real one when the user says %j',
    (user) => {
      expect(localSettings(parts, user)).not.toHaveProperty('TERRAIN_URL');
    },
  );

  test('keep the stand-in for a file of days, whatever source is named', () => {
    const user = { WEATHER_CSV: 'days.csv', WEATHER_SOURCE: 'open-meteo' };
    expect(localSettings(parts, user)).toMatchObject({
      OPEN_METEO_ARCHIVE_URL: 'archive',
      WEATHER_SOURCE: 'open-meteo',
    });
  });

  test('name the free weather hosts when the user says that the use is non-commercial', () => {
    expect(localSettings(parts, { OPEN_METEO_NONCOMMERCIAL: 'true' })).toMatchObject({
      OPEN_METEO_ARCHIVE_URL: 'https://archive-api.open-meteo.com/v1/archive',
      OPEN_METEO_FORECAST_URL: 'https://api.open-meteo.com/v1/forecast',
    });
  });
});

describe('what is printed when the service is ready', () => {
  const service = { baseUrl: 'http://127.0.0.1:7071', caFile: '/data/local.crt' };
  const address = 'http://127.0.0.1:7071/console/#local=once';
  const lines = readyText(service, { console: address }).split('\n');
  const command = (text: string): string => text.split('\n').find((line) => line.includes('node ')) ?? '';

  test('begins with the address, alone on its line', () => {
    expect(lines[0]).toBe('Ready: http://127.0.0.1:7071');
  });

  test('goes on with the address of the console, which is good once', () => {
    expect(lines[1]).toBe(`Console: ${address}`);
  });

  test('ends with one command that waits for its job: an example that is there', () => {
    const [, program = ''] = /^node infra\/build\/run\.mjs (\S+)$/.exec(command(lines.join('\n'))) ?? [];
    expect(readFileSync(program, 'utf8')).toContain('client.gdd.ended(');
  });

  test('names the folder of the service in it, where that is another one', () => {
    expect(command(readyText(service, { localDirectory: '/data' }))).toMatch(/^LOCAL_DIR=\/data node /);
  });
});
