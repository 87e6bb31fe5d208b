import { DefaultAzureCredential } from '@azure/identity';
import { systemClock } from '../../../shared/kit/clock.js';
import { settings } from '../../../shared/wiring/settings/config.js';
import { wakeReaders } from '../../../shared/wiring/clients/wakeReaders.js';
import { ListenerStore } from '../../../shared/notices/log/listenerStore.js';
import { NoticeLogStore } from '../../../shared/notices/log/noticeLogStore.js';
import type { NoticeCommandPorts } from '../../../shared/operate/commands/noticeCommands.js';
import { operatedNotices } from '../../../shared/wiring/areas/operateServices.js';
import { dataStorage } from '../../../shared/wiring/clients/storageClients.js';
import { workLimits } from '../../../shared/storage/timeLimits.js';
import { jsonLog } from '../../../shared/kit/telemetry/telemetry.js';
import { DeliveryStore } from '../../../shared/notices/webhooks/deliveryStore.js';
import { WebhookStore } from '../../../shared/notices/webhooks/webhookStore.js';
import { neededSettings } from '../neededSettings.js';
import { operatorEnqueuer } from '../operatorEnqueuer.js';

type Variables = Readonly<Record<string, string | undefined>>;

const needed = ['DATA_STORAGE__tableServiceUri', 'DATA_STORAGE__queueServiceUri', 'PUBLIC_URL'] as const;

/** The storage that the environment names, seen with the operator's identity: no key is needed, for no secret is opened. */
export function noticeOperator(environment: Variables): NoticeCommandPorts {
  const textOf = neededSettings(environment, needed);
  const uri = (name: (typeof needed)[number]): string => settings[name].parse(textOf(name));
  const tableServiceUri = uri('DATA_STORAGE__tableServiceUri');
  const uris = {
    DATA_STORAGE__tableServiceUri: tableServiceUri,
    DATA_STORAGE__queueServiceUri: uri('DATA_STORAGE__queueServiceUri'),
    // Nothing here asks for a blob.
    DATA_STORAGE__blobServiceUri: tableServiceUri,
  };
  const storage = dataStorage(uris, new DefaultAzureCredential(), workLimits);
  const [webhooks, notices, clock] = [storage.rows('webhooks'), storage.rows('notices'), systemClock];
  const ports = {
    webhooks: new WebhookStore(webhooks),
    deliveries: new DeliveryStore(notices, () => clock.now().getTime()),
    log: new NoticeLogStore({ rows: notices, clock, source: uri('PUBLIC_URL') }),
    listeners: new ListenerStore(webhooks, clock),
    work: operatorEnqueuer(storage),
    clock,
    logLine: jsonLog((line) => process.stderr.write(`${line}\n`)),
  };
  const isSent = (environment['NOTICES_TOPIC_URL'] ?? '') !== '';
  return { notices: operatedNotices(storage, { ...ports, wake: wakeReaders(ports, isSent) }) };
}
