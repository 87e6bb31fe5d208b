import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { functionTable } from '../../functions/functionTable.js';
import { settings } from '../../shared/wiring/settings/config.js';
import {
  backupContainerName,
  tombstoneContainerName,
  dataConnection,
  dataContainerNames,
  imageryContainerName,
  poisonQueueOf,
  queueNames,
  tableNames,
} from '../../shared/storage/names.js';
import { allBicepFiles, childrenOf, nodesOf, stringOf, type BicepFile, type Node } from './bicepTree.js';
import { bodyOf, propertiesOf, theOne, valueAt } from './declarations.js';

let files: readonly BicepFile[] = [];
const fileAt = (path: string): BicepFile => {
  const found = files.find((file) => file.path === path);
  if (found === undefined) throw new Error(`There is no ${path}.`);
  return found;
};
const variable = (path: string, name: string): Node => theOne(fileAt(path), 'variable', name).rest[0]!;
const stringsIn = (list: Node): readonly string[] => childrenOf(list).map(stringOf);
const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].sort();

beforeAll(async () => {
  files = await allBicepFiles();
});

describe('the storage that Bicep creates is what the code uses', () => {
  const storage = 'modules/storage.bicep';
  const parameterOf = (module: string, name: string): string | undefined =>
    valueAt(bodyOf(theOne(fileAt(storage), 'module', module)), 'params', name)?.text;

  test('tables', () => {
    expect(sorted(stringsIn(variable(storage, 'tables')))).toEqual(sorted(tableNames));
  });
  test('queues', () => {
    expect(stringsIn(variable(storage, 'workQueues'))).toEqual([...queueNames]);
  });
  test('poison queues, one for each', () => {
    const name = poisonQueueOf('${queue}' as (typeof queueNames)[number]);
    expect(parameterOf('data', 'queues')).toBe(`concat(workQueues, map(workQueues, queue => '${name}'))`);
  });
  test('containers, those of exports in an account of their own', () => {
    const backup = 'modules/backup.bicep';
    expect(stringOf(variable(backup, 'backupContainer'))).toBe(backupContainerName);
    const exports = valueAt(bodyOf(theOne(fileAt(backup), 'module', 'exports')), 'params', 'containers');
    expect(exports?.text).toBe('[backupContainer, tombstoneContainer]');
    expect(stringOf(variable(backup, 'tombstoneContainer'))).toBe(tombstoneContainerName);
    expect(sorted(stringsIn(variable(storage, 'dataContainers')))).toEqual(sorted(dataContainerNames));
    // The service does not know the one in which Event Grid stores what could not be delivered.
    expect(parameterOf('data', 'containers')).toBe('concat(dataContainers, hasTopic ? [deadLetterContainer] : [])');
    const letters = theOne(fileAt('modules/topicRoles.bicep'), 'resource', 'deadLetters').node.text;
    expect(letters).toContain(`/default/${stringOf(variable(storage, 'deadLetterContainer'))}'`);
    expect(stringOf(variable(storage, 'imageryContainer'))).toBe(imageryContainerName);
  });
  test('with a hierarchical namespace for images alone', () => {
    const modules = ['host', 'data', 'imagery'];
    expect(modules.filter((name) => parameterOf(name, 'hierarchicalNamespace') === 'true')).toEqual(['imagery']);
  });
});

describe('the app settings', () => {
  const platform = [
    'AzureWebJobsStorage__accountName',
    'AzureWebJobsStorage__credential',
    'AzureWebJobsStorage__clientId',
    `${dataConnection}__credential`,
    `${dataConnection}__clientId`,
    'AzureWebJobsDisableHomepage',
    'MALLOC_MMAP_THRESHOLD_',
    'MALLOC_TRIM_THRESHOLD_',
    'FUNCTIONS_REQUEST_BODY_SIZE_LIMIT',
    'APPLICATIONINSIGHTS_AUTHENTICATION_STRING',
  ];
  const values = (): ReadonlyMap<string, Node> => {
    const settingsOf = theOne(fileAt('modules/settings.bicep'), 'function', 'settingsOf');
    return propertiesOf(settingsOf.rest.findLast(({ type }) => type === 'object')!);
  };
  // Azure Monitor takes the place of the first two; a value, even an empty one, would send telemetry elsewhere. The third
  // opens what webhooks may not call.
  const localOnly = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_EXPORTER', 'WEBHOOK_LOCAL_HOSTS'];
  // functionApp.bicep adds it, for it asks a resource.
  const added = 'APPLICATIONINSIGHTS_CONNECTION_STRING';

  /** Read by no code any more, and set for 90 days longer (tools/deploy/settingsGrow.mjs): each with its last day. */
  const retired: readonly string[] = [];

  test('are every setting of the service and those of the platform, nothing else', () => {
    const ours = Object.keys(settings).filter((name) => !localOnly.includes(name) && name !== added);
    expect(sorted(values().keys())).toEqual(sorted([...platform, ...ours, ...retired]));
    expect(variable('modules/functionApp.bicep', 'telemetry').text).toContain(`${added}: component.`);
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
  test('have the host refuse what is larger than the largest upload and its framing, before it is parsed', () => {
    const limit = Number(stringOf(values().get('FUNCTIONS_REQUEST_BODY_SIZE_LIMIT')));
    const largest = Math.max(...functionTable.routes.map(({ file }) => file?.maxBytes ?? 0));
    expect(largest).toBeGreaterThan(50_000_000);
    expect(limit).toBeGreaterThan(largest + 1_000_000);
    expect(limit).toBeLessThan(largest + 5_000_000);
  });
  test('hold no secret: what is one in the vault is a reference to it', () => {
    const secrets = [...values()].filter(([name]) => /(?:_KEYS?|PEPPERS?|SECRET|PASSWORD)$/.test(name));
    expect(secrets.length).toBeGreaterThan(0);
    for (const [, node] of secrets) expect(node.text).toMatch(/@Microsoft\.KeyVault\(SecretUri=/);
  });
  test.each([
    'FUNCTIONS_EXTENSION_VERSION',
    'FUNCTIONS_WORKER_RUNTIME',
    'WEBSITE_RUN_FROM_PACKAGE',
    'WEBSITE_NODE_DEFAULT_VERSION',
    'AzureWebJobsStorage__blobServiceUri',
  ])('have no %s, which Flex Consumption does not take or the host fails by', (name) => {
    expect(values().has(name)).toBe(false);
  });
});

describe('an address of callers of its own', () => {
  const outputOf = (name: string): string => theOne(fileAt('main.bicep'), 'output', name).node.text;

  test('is the one that is given out where Front Door alone may call the app, and there must be one', () => {
    expect(outputOf('AZURE_BASE_URL')).toContain('= empty(network.frontDoorId) ? functionApp.outputs.url : publicUrl');
    expect(fileAt('main.bicep').root.text).toContain("fail('FRONT_DOOR_ID wants PUBLIC_URL')");
  });
  test('may read pictures in the console', () => {
    const origins = 'union([originOf(place)], empty(publicUrl) ? [] : [publicUrl])';
    expect(fileAt('main.bicep').root.text).toContain(`readingOrigins: console.isServed ? ${origins} : []`);
  });
});

describe('the roles', () => {
  const page = readFileSync(new URL('../../docs/operations/rights.md', import.meta.url), 'utf8');
  const ofRoles = /modules\/(roles|topicRoles|people|groupRoles|backup)\.bicep/;
  const guid = /'([0-9a-f]{8}-[0-9a-f-]{27})'/g;
  const guidsIn = (text: string): readonly string[] => [...text.matchAll(guid)].map(([, id = '']) => id);

  test('are those of the table in docs/operations/rights.md', () => {
    const documented = [...page.matchAll(/^\|.*\| `([0-9a-f-]{36})` *\|/gm)].map(([, id = '']) => id);
    const given = files.filter(({ path }) => ofRoles.test(path));
    expect(sorted(documented)).toEqual(sorted(given.flatMap(({ root }) => guidsIn(root.text))));
  });
  test('stand in the files of roles alone, and in that of the backup account, which has a group of its own', () => {
    const elsewhere = files.filter(({ path }) => !ofRoles.test(path));
    expect(elsewhere.flatMap(({ path, root }) => guidsIn(root.text).map((id) => `${path} ${id}`))).toEqual([]);
  });
  const assignments = (): readonly Node[] =>
    files
      .flatMap(({ root }) => [...nodesOf(root)])
      .filter(({ type, text }) => type === 'resource_declaration' && text.includes('roleAssignments@'));

  test('have names that follow from scope, principal and role', () => {
    expect(assignments().length).toBeGreaterThan(10);
    const faults = assignments().filter(({ text }) => {
      const scope = /scope: ([\w[\]()]+)/.exec(text)?.[1] ?? '';
      const [, principal = ''] = /principalId: ([\w.]+)/.exec(text) ?? [];
      return !text.includes(`name: guid(${scope}.id, ${principal}, `);
    });
    expect(faults.map(({ text }) => text)).toEqual([]);
  });
  const assignmentOf = (name: string, path = 'modules/roles.bicep'): string =>
    theOne(fileAt(path), 'resource', name).node.text;

  test('let the app read the register of tenants and write every other table', () => {
    const role = "table == 'tenants' ? tableReader : tableContributor";
    expect(assignmentOf('appOnTables')).toContain(`roleDefinitionId: ${role}`);
  });
  test('let the app send events to the topic, and the topic store what it could not deliver', () => {
    const path = 'modules/topicRoles.bicep';
    expect(assignmentOf('appOnTopic', path)).toMatch(/scope: topic\n[^]*roleDefinitionId: eventSender\n/);
    expect(variable(path, 'eventSender').text).toContain('d5a91429-5739-47e2-a06b-3470a27159e7');
    expect(assignmentOf('topicOnDeadLetters', path)).toMatch(/scope: deadLetters\n[^]*: blobContributor\n/);
  });
  test('let the app add exports and delete none, and operators read them', () => {
    const path = 'modules/backup.bicep';
    expect(assignmentOf('appOnBackups', path)).toMatch(/role.*, blobContributor\)\n\s+condition: noDeletion/);
    expect(assignmentOf('readersOfBackups', path)).toContain("roleDefinitions', blobReader)");
    expect(assignments().filter(({ text }) => text.includes('scope: account'))).toHaveLength(2);
    expect(variable(path, 'noDeletion').text).toMatch(/!\(ActionMatches\{\\'[\w./]+\/blobs\/delete\\'/i);
  });
  test('let the identity of SAS get delegation keys and read images, nothing else', () => {
    const ofSas = assignments().filter(({ text }) => text.includes('principalId: sasPrincipalId'));
    const roles = ofSas.map(({ text }) => /roleDefinitionId: (\w+)/.exec(text)?.[1]);
    expect(roles).toEqual(['blobDelegator', 'blobReader']);
  });
});
