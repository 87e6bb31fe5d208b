// I10: no credential in any store, message or log; and no rejection that nobody handled.

/** Signature of a SAS, as it stands in URLs. */
const SIGNATURE = /[?&]sig=[A-Za-z0-9%+/=]{20,}/;

/** What must be seen nowhere, by name. */
function canariesOf({ service, settings }) {
  const header = settings.IDENTITY_HEADER;
  const peppers = Object.values(JSON.parse(settings.API_KEY_PEPPERS ?? '{}')).filter(
    (pepper) => typeof pepper === 'string',
  );
  return {
    'the token of a caller': service.jwt,
    'an access key': service.apiKey,
    'the client secret of a licence': 'canary-demo-imagery-secret',
    'the key of the identity endpoint': header,
    ...Object.fromEntries(peppers.map((pepper, index) => [`pepper ${index + 1}`, pepper])),
  };
}

const CONTAINERS = ['insights', 'weather-cache', 'enrollment-inputs'];

/** Every text to look into with where it is; blobs one by one, for an hour leaves more of them than memory holds. */
async function* textsOf({ storage }, logs) {
  yield ['the logs', logs];
  yield ['the queues', (await storage.messageTexts()).join('\n')];
  for (const [name, rows] of Object.entries(await storage.tables()))
    for (const row of rows) yield [`table ${name}`, JSON.stringify(row)];
  for (const container of CONTAINERS)
    for (const name of await storage.blobNames(container))
      yield [`container ${container}`, (await storage.blob(container, name)).toString('latin1')];
}

export async function checkSecrets(world, breaches) {
  const logs = world.logText();
  const canaries = Object.entries(canariesOf(world)).filter(([, canary]) => canary !== undefined && canary !== '');
  for await (const [place, text] of textsOf(world, logs)) {
    for (const [what, canary] of canaries) if (text.includes(canary)) breaches.push(`I10: ${what} stands in ${place}`);
    if (SIGNATURE.test(text)) breaches.push(`I10: the signature of a SAS stands in ${place}`);
  }
  const unhandled = logs.match(/unhandled ?rejection|uncaught/gi);
  if (unhandled !== null) breaches.push(`${unhandled.length} unhandled rejections in the logs`);
}
