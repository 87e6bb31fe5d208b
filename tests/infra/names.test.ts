import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { settings } from '../../shared/config.js';
import {
  dataConnection,
  dataContainerNames,
  imageryContainerName,
  poisonQueueOf,
  queueNames,
  tableNames,
} from '../../shared/storage/names.js';
import { allBicepFiles, nodesOf, stringOf, type BicepFile, type Node } from './bicepTree.js';
import { bodyOf, propertiesOf, stringsIn, theOne, valueAt } from './declarations.js';

let files: readonly BicepFile[] = [];
const fileAt = (path: string): BicepFile => {
  const found = files.find((file) => file.path === path);
  if (found === undefined) throw new Error(`There is no ${path}.`);
  return found;
};
const variable = (path: string, name: string): Node => theOne(fileAt(path), 'variable', name).rest[0]!;

beforeAll(async () => {
  files = await allBicepFiles();
});

describe('the storage that Bicep creates is what the code uses', () => {
  const storage = 'modules/dataStorage.bicep';
  test('tables', () => {
    expect(stringsIn(variable(storage, 'tables'))).toEqual([...tableNames]);
  });
  test('of which the app may only read the register of tenants', () => {
    expect(stringsIn(variable(storage, 'readOnlyTables'))).toEqual(['tenants']);
    const byRight = theOne(fileAt(storage), 'output', 'tables').node.text;
    expect(byRight).toContain('written: filter(tables, table => !contains(readOnlyTables, table))');
    expect(byRight).toContain('readOnly: readOnlyTables');
  });
  test('queues', () => {
    expect(stringsIn(variable(storage, 'workQueues'))).toEqual([...queueNames]);
  });
  test('poison queues, one for each', () => {
    const name = poisonQueueOf('${queue}' as (typeof queueNames)[number]);
    expect(variable(storage, 'poisonQueues').text).toBe(`map(workQueues, queue => '${name}')`);
  });
  test('containers of the data account', () => {
    expect(stringsIn(variable(storage, 'dataContainers'))).toEqual([...dataContainerNames]);
  });
  test('the container of the imagery account', () => {
    expect(stringOf(variable(storage, 'imageryContainer'))).toBe(imageryContainerName);
  });
  test('with a hierarchical namespace for images alone', () => {
    const isHierarchical = (name: string): string | undefined =>
      valueAt(bodyOf(theOne(fileAt(storage), 'module', name)), 'params', 'hierarchicalNamespace')?.text;
    expect([isHierarchical('data'), isHierarchical('imagery')]).toEqual(['false', 'true']);
  });
});

describe('the app settings', () => {
  const platform = [
    'AzureWebJobsStorage__blobServiceUri',
    'AzureWebJobsStorage__queueServiceUri',
    'AzureWebJobsStorage__tableServiceUri',
    'AzureWebJobsStorage__credential',
    'AzureWebJobsStorage__clientId',
    `${dataConnection}__credential`,
    `${dataConnection}__clientId`,
    'APPLICATIONINSIGHTS_CONNECTION_STRING',
    'APPLICATIONINSIGHTS_AUTHENTICATION_STRING',
  ];
  const values = (): ReadonlyMap<string, Node> => propertiesOf(variable('modules/appSettings.bicep', 'settings'));

  // Azure Monitor takes their place; a value, even an empty one, would send telemetry elsewhere.
  const localOnly = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_EXPORTER'];

  test('are every setting of the service and those of the platform, nothing else', () => {
    const ours = Object.keys(settings).filter((name) => !localOnly.includes(name));
    expect([...values().keys()].sort()).toEqual([...new Set([...platform, ...ours])].sort());
  });
  test('that are written out have a form that the service takes', () => {
    const faults = [...values()].flatMap(([name, node]) => {
      const setting = settings[name as keyof typeof settings] as { parse: (text: string) => unknown } | undefined;
      const literal = /^'[^$]*'$/.test(node.text) ? stringOf(node) : undefined;
      if (setting === undefined || literal === undefined) return [];
      try {
        setting.parse(literal);
        return [];
      } catch (error) {
        return [`${name}: ${String(error)}`];
      }
    });
    expect(faults).toEqual([]);
  });
  test('hold no secret: what is one in the vault is a reference to it', () => {
    const secrets = [...values()].filter(([name]) => /(?:_KEY|PEPPERS?|SECRET|PASSWORD)$/.test(name));
    expect(secrets.length).toBeGreaterThan(0);
    for (const [, node] of secrets) expect(node.text).toMatch(/@Microsoft\.KeyVault\(SecretUri=/);
  });
  test.each([
    'FUNCTIONS_EXTENSION_VERSION',
    'FUNCTIONS_WORKER_RUNTIME',
    'WEBSITE_RUN_FROM_PACKAGE',
    'WEBSITE_NODE_DEFAULT_VERSION',
  ])('have no %s, which Flex Consumption does not take', (name) => {
    expect(values().has(name)).toBe(false);
  });
});

describe('the roles', () => {
  const roleIds = (): Record<string, string> =>
    Object.fromEntries(
      [...propertiesOf(variable('modules/roles.bicep', 'roleIds'))].map(([name, id]) => [name, stringOf(id)]),
    );

  test('are those of the table in docs/operations.md, by name and GUID', () => {
    const page = readFileSync(fileURLToPath(new URL('../../docs/operations.md', import.meta.url)), 'utf8');
    const rows = [...page.matchAll(/^\|[^|]*\| ([A-Z][A-Za-z ]+?) +\| `([0-9a-f-]{36})`/gm)];
    const documented = new Map(rows.map(([, name = '', id = '']) => [name, id]));
    const nameOf = (symbol: string): string =>
      symbol.replaceAll(/[A-Z]/g, ' $&').replace(/^./, (first) => first.toUpperCase());
    expect(Object.fromEntries(Object.entries(roleIds()).map(([symbol, id]) => [nameOf(symbol), id]))).toEqual(
      Object.fromEntries(documented),
    );
  });
  test('stand in roles.bicep alone', () => {
    const guids = files
      .filter(({ path }) => path !== 'modules/roles.bicep')
      .flatMap(({ path, root }) =>
        [...root.text.matchAll(/'[0-9a-f]{8}-[0-9a-f-]{27}'/g)].map(([guid]) => `${path} ${guid}`),
      );
    expect(guids).toEqual([]);
  });
  test('have names that follow from scope, principal and role', () => {
    const assignments = files
      .flatMap(({ root }) => [...nodesOf(root)])
      .filter(({ type, text }) => type === 'resource_declaration' && text.includes('roleAssignments@'));
    expect(assignments.length).toBeGreaterThan(0);
    for (const { text } of assignments) {
      const scope = /scope: (\w+)/.exec(text)?.[1] ?? '';
      expect(text).toContain(`name: guid(${scope}.id, grant.who.id, grant.role)`);
    }
  });
  const grantsOf = (list: string, who: string): readonly string[] =>
    [
      ...variable('modules/roles.bicep', list).text.matchAll(new RegExp(`who: ${who}, role: roleIds\\.(\\w+)`, 'g')),
    ].map(([, role = '']) => role);
  test.each([
    { list: 'onHost', who: 'app', roles: ['storageBlobDataOwner'] },
    { list: 'onData', who: 'app', roles: ['storageQueueDataContributor'] },
    { list: 'onDataTables', who: 'app', roles: ['storageTableDataContributor'] },
    { list: 'onReadOnlyTables', who: 'app', roles: ['storageTableDataReader'] },
    { list: 'onData', who: 'operators', roles: ['storageTableDataContributor', 'storageQueueDataContributor'] },
    { list: 'onDataContainers', who: 'app', roles: ['storageBlobDataContributor'] },
    { list: 'onImagery', who: 'app', roles: [] },
    { list: 'onImageryContainer', who: 'app', roles: ['storageBlobDataContributor'] },
    { list: 'onVault', who: 'app', roles: ['keyVaultSecretsUser'] },
    { list: 'onComponent', who: 'app', roles: ['monitoringMetricsPublisher'] },
    { list: 'onImagery', who: 'sas', roles: ['storageBlobDelegator'] },
    { list: 'onImageryContainer', who: 'sas', roles: ['storageBlobDataReader'] },
    { list: 'onVault', who: 'sas', roles: [] },
    { list: 'onData', who: 'sas', roles: [] },
    { list: 'onData', who: 'readers', roles: ['storageTableDataReader', 'storageQueueDataReader'] },
    { list: 'onVault', who: 'readers', roles: [] },
  ])('$who gets $roles in $list, no more', ({ list, who, roles }) => {
    expect(grantsOf(list, who)).toEqual(roles);
  });
});
