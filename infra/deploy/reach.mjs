// Lets one address, yours, into the data, the exports and the vault of a closed service, and takes it away again:
// npm run reach -- open|close --address <IPv4 address> [--group <resource group>] [--account <storage account>]
// The address, or ADDRESS, is yours to say: a stranger's answer to "who am I" must not decide who reaches data.
// It asks Azure Resource Manager alone, which is never closed. The next deployment of infrastructure takes it away too. An address
// that the variable ALLOWED_ADDRESSES names belongs to the deployment and stays.
import { isIPv4 } from 'node:net';
import { parseArgs } from 'node:util';
import { accountAt, outputsOf, variablesOf } from './outputs.mjs';
import { runAsProgram } from './ports.mjs';

const usage = 'Use: npm run reach -- open|close --address <address> [--group <resource group>] [--account <account>]';

/** One storage account and how its rules are asked for and changed. */
const storageDoor = ({ run }, name, group) => {
  const where = ['--name', name, '--resource-group', group];
  const rule = ['--account-name', name, '--resource-group', group, '--output', 'none'];
  return {
    name,
    rules: () => {
      const { publicNetworkAccess, networkRuleSet } = JSON.parse(
        run('az', ['storage', 'account', 'show', ...where, '--output', 'json']),
      );
      const { defaultAction, ipRules = [], virtualNetworkRules = [] } = networkRuleSet;
      const addresses = ipRules.map(({ ipAddressOrRange }) => ipAddressOrRange);
      return { isPublic: publicNetworkAccess !== 'Disabled', defaultAction, addresses, subnets: virtualNetworkRules };
    },
    set: (access) => {
      const change = ['--public-network-access', access, '--default-action', 'Deny', '--output', 'none'];
      run('az', ['storage', 'account', 'update', ...where, ...change]);
    },
    add: (address) => run('az', ['storage', 'account', 'network-rule', 'add', ...rule, '--ip-address', address]),
    remove: (address) => run('az', ['storage', 'account', 'network-rule', 'remove', ...rule, '--ip-address', address]),
  };
};

const vaultDoor = ({ run }, name) => {
  const rule = ['--name', name, '--output', 'none'];
  return {
    name,
    rules: () => {
      const { properties } = JSON.parse(run('az', ['keyvault', 'show', '--name', name, '--output', 'json']));
      const { defaultAction = 'Allow', ipRules = [], virtualNetworkRules = [] } = properties.networkAcls ?? {};
      const addresses = ipRules.map(({ value }) => value.replace(/\/32$/, ''));
      const isPublic = properties.publicNetworkAccess !== 'Disabled';
      return { isPublic, defaultAction, addresses, subnets: virtualNetworkRules };
    },
    set: (access) =>
      run('az', ['keyvault', 'update', ...rule, '--public-network-access', access, '--default-action', 'Deny']),
    add: (address) => run('az', ['keyvault', 'network-rule', 'add', ...rule, '--ip-address', `${address}/32`]),
    remove: (address) => run('az', ['keyvault', 'network-rule', 'remove', ...rule, '--ip-address', `${address}/32`]),
  };
};

/** Everything of the group, or one account, which may be of another one. */
function doorsOf(ports, { group, account }) {
  if (account !== undefined) {
    const query = ['--query', `[?name=='${account}'].resourceGroup`, '--output', 'tsv'];
    const itsGroup = ports.run('az', ['storage', 'account', 'list', ...query]);
    if (itsGroup === '') throw new Error(`You see no storage account ${account} in this subscription.`);
    return [storageDoor(ports, account, itsGroup)];
  }
  const {
    VAULT,
    BACKUP,
    BACKUP_GROUP,
    DATA_STORAGE__blobServiceUri: data,
  } = variablesOf(group, outputsOf(ports, group));
  return [
    storageDoor(ports, accountAt(data), group),
    storageDoor(ports, BACKUP, BACKUP_GROUP),
    vaultDoor(ports, VAULT),
  ];
}

function open(ports, door, address) {
  const { isPublic, defaultAction, addresses } = door.rules();
  if (isPublic && defaultAction === 'Allow') return ports.log(`${door.name} is open to every address already.`);
  if (!addresses.includes(address)) door.add(address);
  if (!isPublic) door.set('Enabled');
  return ports.log(`${door.name} lets ${address} in, within a minute.`);
}

function close(ports, door, address) {
  const { isPublic, defaultAction, addresses, subnets } = door.rules();
  if (!isPublic || defaultAction === 'Allow') return ports.log(`${door.name} stays as it is.`);
  if ((ports.env.ALLOWED_ADDRESSES ?? '').split(',').includes(address)) {
    return ports.log(`${door.name} goes on letting ${address} in: ALLOWED_ADDRESSES names it.`);
  }
  if (addresses.includes(address)) door.remove(address);
  // Where nothing else is let in, the account was closed altogether.
  const isLast = addresses.every((other) => other === address) && subnets.length === 0;
  if (isLast) door.set('Disabled');
  return ports.log(`${door.name} lets ${address} in no more${isLast ? ', and nobody else' : ''}.`);
}

function requireAddress(address = '') {
  if (isIPv4(address)) return address;
  throw new Error(
    `Name the IPv4 address by which Azure sees you, by --address or ADDRESS: ${address || 'none'} is none.`,
  );
}

export function reach(ports, args) {
  const text = { type: 'string' };
  const options = { group: text, account: text, address: text };
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const action = { open, close }[positionals[0]];
  const group = values.group ?? ports.env.GROUP ?? ports.env.AZURE_RESOURCE_GROUP;
  if (action === undefined || positionals.length > 1) throw new Error(usage);
  if (group === undefined && values.account === undefined) throw new Error(`Name the resource group.\n${usage}`);
  const address = requireAddress(values.address ?? ports.env.ADDRESS);
  for (const door of doorsOf(ports, { group, account: values.account })) action(ports, door, address);
}

await runAsProgram(import.meta.url, reach);
