import { beforeEach, describe, expect, test } from '@jest/globals';
import { upkeepNotices } from '../../../functions/upkeep/notices.js';
import type { Config } from '../../../shared/wiring/settings/config.js';
import type { Services } from '../../../shared/wiring/services.js';
import { consentByKey, createWebhook, rotateSecret } from '../../../shared/notices/managing/manageWebhooks.js';
import { pingReceiver } from '../../../shared/notices/managing/pingReceiver.js';
import { SecretBox } from '../../../shared/notices/secrets/secretBox.js';
import type { Webhook } from '../../../shared/notices/webhooks/webhook.js';
import { owner, WebhookWorld } from './webhookWorld.js';

const [first, second, other] = [7, 8, 9].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];

let world: WebhookWorld;
beforeEach(() => {
  world = new WebhookWorld();
});

const keys = (byVersion: Readonly<Record<string, Buffer>>): void => {
  Object.assign(world.ports, { box: new SecretBox(new Map(Object.entries(byVersion))) });
};
const night = (): Promise<unknown> => {
  const config = { NOTICES_RETENTION_DAYS: 30 } as Config;
  return upkeepNotices.run({ notices: world.ports, config } as unknown as Services);
};
const signatures = (): readonly string[] =>
  world.receiver().posts.map(({ headers }) => headers['webhook-signature'] ?? '');

describe('a key that is rotated', () => {
  test('can be taken away when the night has named it no more: nothing changes for owner and receiver', async () => {
    const webhook = await world.webhook();
    await rotateSecret(world.ports)(webhook, {});
    await world.tell('a');
    await world.work();
    keys({ 1: first, 2: second });
    expect(await night()).toMatchObject({ keyVersions: { 2: 1 } });
    keys({ 2: second });
    await world.tell('b');
    await world.work();
    expect(world.receiver().ids).toEqual(['a', 'b']);
    expect(signatures().map((text) => text.split(' ').length)).toEqual([2, 2]);
  });

  test('is named as long as something needs it', async () => {
    const { webhook } = await createWebhook(world.ports)(owner, { url: 'https://farm.example/hooks' }, undefined);
    keys({ 2: second });
    await createWebhook(world.ports)(owner, { url: 'https://farm.example/other' }, undefined);
    // What no key opens stays as it is, for the key may come back.
    expect(await night()).toMatchObject({ keyVersions: { 1: 1, 2: 1 } });
    keys({ 1: first, 2: second });
    expect(await world.stored(webhook)).toEqual(webhook);
    expect(await night()).toMatchObject({ keyVersions: { 2: 2 } });
  });

  test('is not needed by a secret that signs no more', async () => {
    const webhook = await world.webhook();
    await rotateSecret(world.ports)(webhook, { expires_in_hours: 1 });
    world.clock.jump(3_700_000);
    await night();
    expect((await world.stored(webhook)).secrets).toHaveLength(1);
  });

  test('leaves a webhook that somebody changes at the same moment to the next night', async () => {
    await world.webhook();
    keys({ 1: first, 2: second });
    const { webhooks } = world.ports;
    const replace = webhooks.replace.bind(webhooks);
    webhooks.replace = () => Promise.resolve(false);
    expect(await night()).toMatchObject({ keyVersions: { 1: 1 } });
    webhooks.replace = replace;
    expect(await night()).toMatchObject({ keyVersions: { 2: 1 } });
  });

  test('costs no write where nothing is to be sealed anew', async () => {
    await world.webhook();
    const stored = world.webhookRows.all();
    await night();
    expect(world.webhookRows.all()).toEqual(stored);
  });
});

const losses: readonly { readonly how: string; readonly lose: Readonly<Record<string, Buffer>> }[] = [
  { how: 'is gone', lose: { 2: second } },
  { how: 'is another than it was', lose: { 1: other } },
];

describe.each(losses)('a key that $how', ({ lose }) => {
  let webhook: Webhook;
  let callback: URL;
  beforeEach(async () => {
    webhook = await world.webhook();
    callback = new URL(world.receiver().asks[0]!.headers['webhook-request-callback']!);
    keys(lose);
  });

  test('disables the webhook, and a rotation mends it', async () => {
    await world.tell('a');
    await world.work();
    expect(await world.stored(webhook)).toMatchObject({ status: 'disabled', disabledReason: 'secret_lost' });
    const { secret } = await rotateSecret(world.ports)(webhook, {});
    expect(secret).toMatch(/^whsec_/);
    await world.change(webhook, { status: 'enabled' });
    await world.work();
    expect(world.receiver().ids).toContain('a');
    // The former secret signs nothing, for nobody can open it.
    expect(signatures().every((text) => text.split(' ').length === 1)).toBe(true);
  });

  test('is told of by a ping, and nobody consents by what it has sealed', async () => {
    const lost = { fault: { code: 'SecretLost', status: 409 } };
    await expect(pingReceiver(world.ports)(webhook)).rejects.toMatchObject(lost);
    await expect(consentByKey(world.ports)(webhook, callback.searchParams.get('key')!)).rejects.toMatchObject({
      fault: { status: 404 },
    });
  });
});

test('a create that is repeated when its secret is lost is refused', async () => {
  const create = () => createWebhook(world.ports)(owner, { url: 'https://farm.example/hooks' }, 'key-1');
  await create();
  keys({ 2: second });
  await expect(create()).rejects.toMatchObject({ fault: { code: 'SecretLost' } });
});
