import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';
import { serviceFileIn, type ServiceFile } from '../serviceFile.js';
import { receivedLine } from './receivedLine.js';

/** WEBHOOK_LOCAL_HOSTS of the local service. */
const PORT = 9_443;
const url = `http://127.0.0.1:${PORT}/`;

interface CreatedWebhook {
  readonly id: string;
  readonly secret: string;
}

/** A receiver on this machine that shows what a webhook of the demo customer is sent, until Ctrl+C. */
export async function listen(): Promise<void> {
  const { baseUrl, apiKey } = runningService();
  const headers = { 'api-key': apiKey, 'content-type': 'application/json' };
  let secret = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'OPTIONS') {
        response.writeHead(200, { 'webhook-allowed-origin': '*' }).end();
        return;
      }
      response.writeHead(204).end();
      const body = Buffer.concat(chunks).toString('utf8');
      process.stdout.write(`${receivedLine({ headers: request.headers, body }, secret, Date.now())}\n`);
    });
  });
  await listening(server);
  const answer = await fetch(`${baseUrl}/v1/webhooks`, { method: 'POST', headers, body: JSON.stringify({ url }) });
  if (!answer.ok) {
    server.close();
    throw new Error(`The service answered ${answer.status}: ${await answer.text()}`);
  }
  const webhook = (await answer.json()) as CreatedWebhook;
  ({ secret } = webhook);
  process.stdout.write(`Webhook ${webhook.id} sends to ${url}; what arrives is shown here. End with Ctrl+C.\n`);
  process.on('SIGINT', () => {
    const gone = fetch(`${baseUrl}/v1/webhooks/${webhook.id}`, { method: 'DELETE', headers });
    void gone.finally(() => process.exit());
  });
}

function runningService(): ServiceFile {
  const directory = resolve(process.env['LOCAL_DIR'] ?? '.local');
  const file = serviceFileIn(directory);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as ServiceFile;
  throw new Error(`No service runs on ${directory}: start it (npm start), or name its LOCAL_DIR.`);
}

async function listening(server: Server): Promise<void> {
  server.listen(PORT, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new Error(`Nothing can listen on port ${PORT} of this machine: end the receiver that does.`, { cause });
  }
}
