import { describe, expect, test } from '@jest/globals';
import { ConfigError, readConfig } from '../../../shared/wiring/settings/config.js';

const good = {
  DATA_STORAGE__tableServiceUri: 'https://data.table.core.windows.net/',
  DATA_STORAGE__queueServiceUri: 'https://data.queue.core.windows.net',
  DATA_STORAGE__blobServiceUri: 'https://data.blob.core.windows.net',
  IMAGERY_STORAGE__blobServiceUri: 'https://imagery.blob.core.windows.net',
  BACKUP_STORAGE__blobServiceUri: 'https://backups.blob.core.windows.net',
  API_KEY_PEPPERS: JSON.stringify({ 1: Buffer.alloc(32, 1).toString('base64') }),
  JWT_ISSUERS: 'https://login.microsoftonline.com/{tid}/v2.0, https://sts.windows.net/{tid}/',
  JWT_AUDIENCE: 'api://partner-field-service',
  JWKS_URI: 'https://login.microsoftonline.com/organizations/discovery/v2.0/keys',
  OPEN_METEO_API_KEY: 'key',
};

const faultsOf = (environment: Record<string, string | undefined>): string => {
  try {
    readConfig(environment);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
};

describe('the configuration', () => {
  test('is read with its defaults', () => {
    const config = readConfig(good);
    expect(config).toMatchObject({
      DATA_STORAGE__tableServiceUri: 'https://data.table.core.windows.net',
      JWT_ISSUERS: ['https://login.microsoftonline.com/{tid}/v2.0', 'https://sts.windows.net/{tid}/'],
      WEATHER_SOURCE: ['nasa-power', 'met-norway'],
      JOB_RETENTION_DAYS: 90,
      OPEN_METEO_NONCOMMERCIAL: false,
    });
  });

  test('lists everything that is missing or bad at once', () => {
    const faults = faultsOf({ ...good, JWT_AUDIENCE: undefined, JWKS_URI: 'http://example.org', FORECAST_DAYS: '99' });
    expect(faults).toMatch(/3 fault/);
    expect(faults).toMatch(/JWT_AUDIENCE is missing/);
    expect(faults).toMatch(/JWKS_URI must be an https address/);
    expect(faults).toMatch(/FORECAST_DAYS must be a whole number from 1 to 9/);
  });

  test.each([
    ['an http address that is not of this machine', { JWKS_URI: 'http://10.0.0.1/keys' }, /https address/],
    [
      "an audience that tokens of its issuers don't have",
      { JWT_ISSUERS: 'https://login.microsoftonline.com/{tid}/v2.0' },
      /JWT_AUDIENCE must be the client id of the app registration/,
    ],
    ['an address with a password', { JWKS_URI: 'https://a:b@example.org' }, /user name or password/],
    ['a forecast without a past', { WEATHER_SOURCE: 'met-norway' }, /met-norway alone has no past/],
    ['a contact that breaks a header', { WEATHER_CONTACT: 'a@b.c\r\nx: y' }, /a site or an e-mail address/],
    [
      'a topic without TLS',
      { NOTICES_TOPIC_URL: 'http://127.0.0.1:9/api/events' },
      /TOPIC_URL must be an https address/,
    ],
    ['a topic with a key', { NOTICES_TOPIC_URL: 'https://t.example/api/events?sas=x' }, /must not hold a query/],
    [
      'a topic without notices',
      { NOTICES_TOPIC_URL: 'https://t.example/api/events', PUBLIC_URL: 'https://f.example' },
      /WEBHOOK_KEYS is missing: with NOTICES_TOPIC_URL/,
    ],
    ['an unknown weather source', { WEATHER_SOURCE: 'oracle' }, /open-meteo, nasa-power/],
    [
      'the commercial Open-Meteo without a key',
      { WEATHER_SOURCE: 'open-meteo', OPEN_METEO_API_KEY: undefined },
      /commercial hosts of Open-Meteo want a key/,
    ],
    [
      'the free Open-Meteo without a word on its use',
      {
        WEATHER_SOURCE: 'open-meteo',
        OPEN_METEO_API_KEY: undefined,
        OPEN_METEO_ARCHIVE_URL: 'https://archive-api.open-meteo.com/v1/archive',
        OPEN_METEO_FORECAST_URL: 'https://api.open-meteo.com/v1/forecast',
      },
      /OPEN_METEO_NONCOMMERCIAL=true/,
    ],
  ])('refuses %s', (_what, changes, message) => {
    expect(faultsOf({ ...good, ...changes })).toMatch(message);
  });

  test.each([
    ['nasa-power alone', { OPEN_METEO_API_KEY: undefined, WEATHER_SOURCE: 'nasa-power' }],
    ['http on this machine', { JWKS_URI: 'http://127.0.0.1:7080/keys' }],
    [
      'the free Open-Meteo for non-commercial use',
      {
        OPEN_METEO_API_KEY: undefined,
        OPEN_METEO_NONCOMMERCIAL: 'true',
        OPEN_METEO_ARCHIVE_URL: 'https://archive-api.open-meteo.com/v1/archive',
        OPEN_METEO_FORECAST_URL: 'https://api.open-meteo.com/v1/forecast',
      },
    ],
  ])('accepts %s', (_what, changes) => {
    expect(faultsOf({ ...good, ...changes })).toBe('');
  });

  test('never repeats a value in its faults', () => {
    expect(faultsOf({ ...good, API_KEY_PEPPERS: '{"canary' })).not.toContain('canary');
  });
});
