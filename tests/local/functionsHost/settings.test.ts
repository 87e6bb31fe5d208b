import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionString, resolveNames, settingsOf } from '../../../infra/local/functionsHost/settings.js';

describe('the settings of an app', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'settings-'));
  });
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });
  const write = (file: object): void => {
    writeFileSync(join(directory, 'local.settings.json'), JSON.stringify(file));
  };

  test('the environment stands above local.settings.json', () => {
    write({ Values: { ONE: 'file', TWO: 'file' } });
    expect(settingsOf(directory, { ONE: 'environment' })).toMatchObject({ ONE: 'environment', TWO: 'file' });
  });

  test('the platform variables are there without being set', () => {
    write({});
    expect(settingsOf(directory, {})).toEqual({
      AZURE_FUNCTIONS_ENVIRONMENT: 'Development',
      FUNCTIONS_WORKER_RUNTIME: 'node',
    });
  });

  test('an encrypted file is refused', () => {
    write({ IsEncrypted: true });
    expect(() => settingsOf(directory, {})).toThrow('encrypted');
  });
});

describe('a name in percent signs', () => {
  test('is replaced by the setting', () => {
    expect(resolveNames('%A%-%B%', { A: '1', B: '2' })).toBe('1-2');
  });

  test('that resolves to nothing stops the start', () => {
    expect(() => resolveNames('%MISSING%', {})).toThrow('%MISSING%');
  });
});

describe('a connection', () => {
  test.each([
    { name: 'X', settings: { X: 'own', AzureWebJobsX: 'prefixed' }, expected: 'own' },
    { name: 'X', settings: { AzureWebJobsX: 'prefixed' }, expected: 'prefixed' },
    { name: undefined, settings: { AzureWebJobsStorage: 'host' }, expected: 'host' },
    { name: 'Storage', settings: { AzureWebJobsStorage: 'host' }, expected: 'host' },
  ])('named $name is found as $expected', ({ name, settings, expected }) => {
    expect(connectionString(name, settings)).toBe(expected);
  });

  test('that is not set is named', () => {
    expect(() => connectionString('X', { X__queueServiceUri: 'https://elsewhere' })).toThrow('X is not set');
  });
});
