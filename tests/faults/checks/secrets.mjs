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

/** All texts to look into, by where they are. */
async function textsOf(world) {
  const { storage } = world;
  const texts = { 'the logs': world.logText(), 'the queues': (await storage.messageTexts()).join('\n') };
  for (const [name, rows] of Object.entries(await storage.tables())) texts[`table ${name}`] = JSON.stringify(rows);
  for (const container of ['insights', 'weather-cache', 'enrollment-inputs']) {
    const bodies = await Promise.all(
      (await storage.blobNames(container)).map(async (name) =>
        (await storage.blob(container, name)).toString('latin1'),
      ),
    );
    texts[`container ${container}`] = bodies.join('\n');
  }
  return texts;
}

export async function checkSecrets(world, breaches) {
  const texts = await textsOf(world);
  for (const [place, text] of Object.entries(texts)) {
    for (const [what, canary] of Object.entries(canariesOf(world))) {
      if (canary !== undefined && canary !== '' && text.includes(canary))
        breaches.push(`I10: ${what} stands in ${place}`);
    }
    if (SIGNATURE.test(text)) breaches.push(`I10: the signature of a SAS stands in ${place}`);
  }
  const unhandled = texts['the logs'].match(/unhandled ?rejection|uncaught/gi);
  if (unhandled !== null) breaches.push(`${unhandled.length} unhandled rejections in the logs`);
}
