// Table Storage has no backup of its own, so this is one: every table to a file of lines, and back.
//   node tools/backup/tables.mjs export <folder>
//   node tools/backup/tables.mjs import <folder>     rows that are there already are replaced, others are left
// Azure: DATA_STORAGE__tableServiceUri, with the operator's own identity. Local: the service that runs on LOCAL_DIR.
// The files hold digests of keys and what callers sent: keep them as you keep the tables.
import { TableClient, TableServiceClient } from '@azure/data-tables';
import { DefaultAzureCredential } from '@azure/identity';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [command, folder] = process.argv.slice(2);
const MOST_IN_A_TRANSACTION = 100;

/** What opens a table, and the service that lists them: in Azure, or of the local environment. */
function connection() {
  const address = process.env.DATA_STORAGE__tableServiceUri;
  if (address) {
    const credential = new DefaultAzureCredential();
    return {
      service: new TableServiceClient(address, credential),
      table: (name) => new TableClient(address, name, credential),
    };
  }
  const directory = process.env.LOCAL_DIR ?? '.local';
  const read = (name) => JSON.parse(readFileSync(join(directory, name), 'utf8'));
  const text = read('settings.json').DATA_STORAGE;
  const options = { tlsOptions: { ca: readFileSync(read('service.json').caFile, 'utf8') } };
  return {
    service: TableServiceClient.fromConnectionString(text, options),
    table: (name) => TableClient.fromConnectionString(text, name, options),
  };
}

async function exportTables({ service, table }) {
  mkdirSync(folder, { recursive: true });
  for await (const { name } of service.listTables()) {
    const out = createWriteStream(join(folder, `${name}.ndjson`), { mode: 0o600 });
    let rows = 0;
    // Types stay as they are stored, so that a number comes back as the same kind of number.
    for await (const { etag, timestamp, ...row } of table(name).listEntities({ disableTypeConversion: true })) {
      delete row['odata.metadata'];
      rows += 1;
      if (!out.write(`${JSON.stringify(row)}\n`)) await once(out, 'drain');
    }
    out.end();
    await once(out, 'finish');
    console.log(`${name}: ${rows} rows`);
  }
}

async function importTable(client, file) {
  let rows = 0;
  let batch = [];
  const send = async () => {
    if (batch.length > 0) await client.submitTransaction(batch.map((row) => ['upsert', row, 'Replace']));
    rows += batch.length;
    batch = [];
  };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const row = JSON.parse(line);
    const isFull = batch.length === MOST_IN_A_TRANSACTION || (batch[0] && batch[0].partitionKey !== row.partitionKey);
    if (isFull) await send();
    batch.push(row);
  }
  await send();
  return rows;
}

async function importTables({ table }) {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.ndjson'))) {
    const name = file.replace(/\.ndjson$/, '');
    console.log(`${name}: ${await importTable(table(name), join(folder, file))} rows`);
  }
}

const commands = { export: exportTables, import: importTables };
try {
  if (!(command in commands) || !folder) {
    throw new Error('Use: node tools/backup/tables.mjs export|import <folder>');
  }
  await commands[command](connection());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
