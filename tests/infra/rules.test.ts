import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { allBicepFiles, azureFolder, parseBicep, type BicepFile } from './bicepTree.js';
import {
  apiVersions,
  createdIn,
  looseTypes,
  tellingOutputs,
  typeOf,
  uncheckedVersions,
  undescribed,
  unstableDefaults,
  written,
} from './rules.js';

let files: readonly BicepFile[] = [];
beforeAll(async () => {
  files = await allBicepFiles();
});

describe('the Bicep files', () => {
  test('describe every parameter, output, type, member of a type and function', () => {
    expect(files.flatMap(undescribed)).toEqual([]);
  });
  test('give no output away that tells a secret', () => {
    expect(files.flatMap(tellingOutputs)).toEqual([]);
  });
  test('name checked API versions only', () => {
    expect(files.flatMap(uncheckedVersions)).toEqual([]);
  });
  test('create every type of the list, so that the list holds nothing that nobody needs', () => {
    const created = new Set(files.flatMap(createdIn).map(typeOf));
    expect(apiVersions.filter((version) => !created.has(version))).toEqual([]);
  });
  test('have no parameter that takes anything', () => {
    expect(files.flatMap(looseTypes)).toEqual([]);
  });
  test('make no value anew at each deployment', () => {
    expect(files.flatMap(unstableDefaults)).toEqual([]);
  });
});

describe('what is created', () => {
  const storage = 'Microsoft.Storage/storageAccounts';
  const site = 'Microsoft.Web/sites';
  const vault = 'Microsoft.KeyVault/vaults';
  const topic = 'Microsoft.EventGrid/topics';
  test.each([
    { type: storage, path: ['properties', 'allowSharedKeyAccess'], value: 'false' },
    { type: storage, path: ['properties', 'allowBlobPublicAccess'], value: 'false' },
    { type: storage, path: ['properties', 'allowCrossTenantReplication'], value: 'false' },
    { type: storage, path: ['properties', 'defaultToOAuthAuthentication'], value: 'true' },
    { type: storage, path: ['properties', 'minimumTlsVersion'], value: "'TLS1_2'" },
    { type: storage, path: ['properties', 'supportsHttpsTrafficOnly'], value: 'true' },
    { type: storage, path: ['properties', 'encryption', 'requireInfrastructureEncryption'], value: 'true' },
    { type: storage, path: ['properties', 'sasPolicy', 'sasExpirationPeriod'], value: "'0.09:00:00'" },
    { type: storage, path: ['properties', 'sasPolicy', 'expirationAction'], value: "'Log'" },
    { type: vault, path: ['properties', 'enableRbacAuthorization'], value: 'true' },
    { type: vault, path: ['properties', 'enablePurgeProtection'], value: 'isProtected ? true : null' },
    { type: vault, path: ['properties', 'softDeleteRetentionInDays'], value: 'isProtected ? 90 : 7' },
    { type: site, path: ['properties', 'httpsOnly'], value: 'true' },
    { type: site, path: ['properties', 'siteConfig', 'minTlsVersion'], value: "'1.2'" },
    { type: site, path: ['properties', 'siteConfig', 'ftpsState'], value: "'Disabled'" },
    { type: site, path: ['properties', 'siteConfig', 'cors'], value: undefined },
    { type: site, path: ['identity', 'type'], value: "'UserAssigned'" },
    { type: site, path: ['properties', 'keyVaultReferenceIdentity'], value: 'identityId' },
    { type: site, path: ['properties', 'functionAppConfig', 'runtime', 'version'], value: "'22'" },
    {
      type: site,
      path: ['properties', 'functionAppConfig', 'scaleAndConcurrency', 'instanceMemoryMB'],
      value: 'scale.instanceMemoryMB',
    },
    {
      type: site,
      path: ['properties', 'functionAppConfig', 'deployment', 'storage', 'authentication', 'type'],
      value: "'UserAssignedIdentity'",
    },
    { type: topic, path: ['properties', 'inputSchema'], value: "'CloudEventSchemaV1_0'" },
    { type: topic, path: ['properties', 'disableLocalAuth'], value: 'true' },
    { type: topic, path: ['properties', 'minimumTlsVersionAllowed'], value: "'1.2'" },
    { type: topic, path: ['properties', 'publicNetworkAccess'], value: "isClosed ? 'Disabled' : 'Enabled'" },
    { type: 'Microsoft.Web/serverfarms', path: ['sku', 'name'], value: "'FC1'" },
    { type: 'Microsoft.Insights/components', path: ['properties', 'DisableLocalAuth'], value: 'true' },
    {
      type: 'Microsoft.Network/privateDnsZones/virtualNetworkLinks',
      path: ['properties', 'resolutionPolicy'],
      value: "'NxDomainRedirect'",
    },
    {
      type: 'Microsoft.OperationalInsights/workspaces',
      path: ['properties', 'features', 'disableLocalAuth'],
      value: 'true',
    },
  ])('$type has $path: $value', ({ type, path, value }) => {
    expect(written(files, type, ...path)).toBe(value);
  });
  test('no image changes its tier: files of a few kB cost more to move than they save', () => {
    expect(files.filter(({ root }) => /tierTo(Cool|Cold|Archive)/.test(root.text)).map(({ path }) => path)).toEqual([]);
  });
  test('nobody deploys by user name and password', () => {
    const policies = files
      .flatMap(createdIn)
      .filter((resource) => typeOf(resource).includes('basicPublishingCredentialsPolicies'));
    expect(policies.map(({ node }) => /name: '(\w+)'[\s\S]*allow: (\w+)/.exec(node.text)?.slice(1))).toEqual([
      ['ftp', 'false'],
      ['scm', 'false'],
    ]);
  });
});

describe('the checks themselves', () => {
  test.each([
    { what: 'a parameter without a description', check: undescribed, text: 'param a string\n' },
    {
      what: 'a member without a description',
      check: undescribed,
      text: "@description('x')\ntype A = {\n  @description('x')\n  b: string\n\n  c: string\n}\n",
    },
    {
      what: 'an output that is a key',
      check: tellingOutputs,
      text: 'output accountKey string = a.listKeys().keys[0]\n',
    },
    {
      what: 'an output that is a connection string',
      check: tellingOutputs,
      text: 'output target string = a.properties.ConnectionString\n',
    },
    {
      what: 'another API version',
      check: uncheckedVersions,
      text: "resource a 'Microsoft.Web/sites@2015-08-01' = {\n  name: 'x'\n}\n",
    },
    { what: 'a parameter of any shape', check: looseTypes, text: 'param a object\n' },
    {
      what: 'a value that changes with each deployment',
      check: unstableDefaults,
      text: 'param a string = newGuid()\n',
    },
  ])('report $what', async ({ check, text }) => {
    expect(check(await parseBicep('a.bicep', text))).toHaveLength(1);
  });
});

describe('bicepconfig.json', () => {
  const text = readFileSync(join(azureFolder, 'bicepconfig.json'), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '');
  const { rules } = (JSON.parse(text) as { analyzers: { core: { rules: Record<string, { level: string }> } } })
    .analyzers.core;

  test('makes an error of every rule, but for two that say why', () => {
    // One turns yellow with the calendar; one is on what-if, which decides nothing.
    const lenient = Object.entries(rules).filter(([, { level }]) => level !== 'error');
    expect(lenient.map(([name, { level }]) => `${name} ${level}`)).toEqual([
      'use-recent-api-versions off',
      'what-if-short-circuiting off',
    ]);
  });
  test.each([
    'no-unused-params',
    'no-unused-vars',
    'no-unused-imports',
    'no-unused-existing-resources',
    'no-hardcoded-location',
    'no-hardcoded-env-urls',
    'outputs-should-not-contain-secrets',
    'secure-parameter-default',
    'use-parent-property',
    'use-resource-symbol-reference',
    'use-safe-access',
    'use-user-defined-types',
    'prefer-interpolation',
    'explicit-values-for-loc-params',
  ])('has the rule %s', (rule) => {
    expect(rules).toHaveProperty(rule);
  });
});
