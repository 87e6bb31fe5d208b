// Counts what the service asks of storage, for the cost model of docs/capacity.md:
//   NODE_OPTIONS="--import $PWD/tools/smoke/countRequests.mjs" COUNT_FILE=/tmp/requests.log npm start
//   sort /tmp/requests.log | uniq -c | sort -rn
// Each request of the functions host is a line: method and kind of address, ids left out.
import { appendFileSync } from 'node:fs';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

const file = process.env.COUNT_FILE;
const isHost = process.argv[1]?.endsWith('hostProcess.mjs') ?? false;

/** Addresses that differ only in ids become the same line. */
function kindOf(path) {
  return path
    .replace(/\?.*$/, '')
    .replace(/\(PartitionKey=.*\)$/, '(row)')
    .replace(/\/messages\/.+$/, '/messages/id')
    .replace(/^(\/\w+\/(?:insights|weather-cache|enrollment-inputs|imagery))\/.+$/, '$1/blob');
}

if (isHost && file !== undefined) {
  const request = https.request;
  https.request = (...args) => {
    const options = typeof args[0] === 'object' && !(args[0] instanceof URL) ? args[0] : (args[1] ?? {});
    appendFileSync(file, `${options.method ?? 'GET'} ${kindOf(options.path ?? String(args[0]))}\n`);
    return request(...args);
  };
  syncBuiltinESMExports();
}
