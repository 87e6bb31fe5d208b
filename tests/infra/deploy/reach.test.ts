// Answers of `az` are written by hand from its documentation: no Azure was asked.
import { describe, expect, test } from '@jest/globals';
import { reach } from '../../../infra/deploy/reach.mjs';
import { listed, worldOf, type World } from './standIn.js';

const mine = '203.0.113.7';
const subnet = { virtualNetworkResourceId: '/subscriptions/s/…/subnets/app' };

const storage = (publicNetworkAccess: string, addresses: readonly string[], subnets: readonly object[] = []): string =>
  JSON.stringify({
    publicNetworkAccess,
    networkRuleSet: {
      defaultAction: 'Deny',
      ipRules: addresses.map((ipAddressOrRange) => ({ action: 'Allow', ipAddressOrRange })),
      virtualNetworkRules: subnets,
    },
  });
const vault = (publicNetworkAccess: string, addresses: readonly string[]): string =>
  JSON.stringify({
    properties: {
      publicNetworkAccess,
      networkAcls: { defaultAction: 'Deny', ipRules: addresses.map((address) => ({ value: `${address}/32` })) },
    },
  });

function worldWith(account: string, keyVault: string): World {
  return worldOf({
    env: { GROUP: 'rg-fields-prod', ADDRESS: mine },
    answers: [
      ['az deployment group list', listed],
      ['az storage account list', 'rg-other'],
      ['az storage account show', account],
      ['az keyvault show', keyVault],
    ],
  });
}
const changes = (world: World): readonly string[] =>
  world.commands.filter((line) => / (add|remove|update) /.test(line));

describe('reach open', () => {
  test('lets your address into the data, the exports and the vault of a closed service', () => {
    const world = worldWith(storage('Disabled', []), vault('Disabled', []));
    reach(world, ['open']);
    expect(changes(world).map((line) => line.replace(' --output none', ''))).toEqual([
      `az storage account network-rule add --account-name stdataprodabc --resource-group rg-fields-prod --ip-address ${mine}`,
      'az storage account update --name stdataprodabc --resource-group rg-fields-prod --public-network-access Enabled --default-action Deny',
      `az storage account network-rule add --account-name stbakprodabc --resource-group rg-fields-prod-backup --ip-address ${mine}`,
      'az storage account update --name stbakprodabc --resource-group rg-fields-prod-backup --public-network-access Enabled --default-action Deny',
      `az keyvault network-rule add --name kv-prod-abc --ip-address ${mine}/32`,
      'az keyvault update --name kv-prod-abc --public-network-access Enabled --default-action Deny',
    ]);
  });
  test('adds the address alone behind a firewall', () => {
    const world = worldWith(storage('Enabled', [], [subnet]), vault('Enabled', []));
    reach(world, ['open', '--account', 'stbakother', '--address', mine]);
    expect(changes(world)).toEqual([
      `az storage account network-rule add --account-name stbakother --resource-group rg-other --output none --ip-address ${mine}`,
    ]);
  });
  test('changes nothing that lets everybody in', () => {
    const open = JSON.stringify({ publicNetworkAccess: 'Enabled', networkRuleSet: { defaultAction: 'Allow' } });
    const world = worldWith(
      open,
      JSON.stringify({ properties: { publicNetworkAccess: 'Enabled', networkAcls: null } }),
    );
    reach(world, ['open']);
    expect(changes(world)).toEqual([]);
    expect(world.lines).toHaveLength(3);
  });
});

describe('reach close', () => {
  test('leaves an address that the deployment lets in', () => {
    const world = worldWith(storage('Enabled', [mine], [subnet]), vault('Enabled', [mine]));
    reach({ ...world, env: { ...world.env, ALLOWED_ADDRESSES: `198.51.100.9,${mine}` } }, ['close']);
    expect(changes(world)).toEqual([]);
    expect(world.lines[0]).toContain(`goes on letting ${mine} in: ALLOWED_ADDRESSES names it`);
  });
  test('takes the address away and closes what was closed', () => {
    const world = worldWith(storage('Enabled', [mine]), vault('Enabled', [mine]));
    reach(world, ['close']);
    expect(changes(world).filter((line) => line.includes('remove'))).toHaveLength(3);
    expect(changes(world).filter((line) => line.includes('--public-network-access Disabled'))).toHaveLength(3);
  });
  test.each([
    { who: 'the network of the app', account: storage('Enabled', [mine], [subnet]) },
    { who: 'another operator', account: storage('Enabled', [mine, '198.51.100.4']) },
  ])('leaves open what lets $who in', ({ account }) => {
    const world = worldWith(account, vault('Enabled', [mine]));
    reach(world, ['close', '--account', 'stbakother']);
    expect(changes(world).some((line) => line.includes('remove'))).toBe(true);
    expect(changes(world).some((line) => line.includes('Disabled'))).toBe(false);
  });
});

test.each([
  { args: [], says: 'Use: npm run reach' },
  { args: ['shut'], says: 'Use: npm run reach' },
])('reach says how it is used: $args', ({ args, says }) => {
  expect(() => {
    reach(worldWith('', ''), args);
  }).toThrow(says);
});

test.each([undefined, 'fields.example', '203.0.113.0/24', '::1'])(
  'reach asks for one address, and nobody else: %s',
  (address) => {
    const world = worldWith('', '');
    expect(() => {
      reach({ ...world, env: { GROUP: 'rg', ADDRESS: address } }, ['open']);
    }).toThrow('Name the IPv4 address by which Azure sees you');
    expect(world.commands).toEqual([]);
  },
);
