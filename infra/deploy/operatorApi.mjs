// What a release asks of the service's operator API: pause, and whether the pause has come. The pipeline's identity has
// the role Release of the service's application, which is good for these two alone.

const PAUSE_MINUTES = 30;
const MOST_WAIT_MINUTES = 10;
/** A process learns of a pause within ten seconds, and begins work until then. */
const KNOWN_MS = 15_000;

/** The operator API of one service. */
export function operatorApi(ports, { url, token }) {
  const ask = async (path, body) => {
    const answer = await ports.fetch(`${url}/operate/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    if (answer.ok) return answer.json();
    const said = await answer.text();
    const hint = answer.status === 403 ? ' Assign the role Release to the identity of the pipeline.' : '';
    throw Object.assign(new Error(`${path}: ${answer.status} ${said}${hint}`), { status: answer.status });
  };
  return {
    state: () => ask('state'),
    command: (command, target, reason) => ask('commands', { command, target, reason }),
  };
}

/**
 * Has work pause, where the version that runs can: a release that puts right what is broken must not wait for what is broken.
 * Work that is cut off without a pause resumes by its lease.
 *
 * @returns {Promise<'begun' | 'none' | 'unknown'>} unknown where the answer was no answer: the pause may have begun
 */
export async function startPause({ log }, api, reason) {
  try {
    await api.command('drain.start', { minutes: PAUSE_MINUTES }, reason);
    return 'begun';
  } catch (error) {
    if (error.status === 404) log('Pause: the version that runs knows none.');
    else log(`Pause: there is none, and the release goes on without it: ${error.message}`);
    return [403, 404].includes(error.status) ? 'none' : 'unknown';
  }
}

/** Waits until nothing is at work, ten minutes at most: what then still works is resumed by its lease. */
export async function awaitPause({ log, now, sleep }, api) {
  const until = now() + MOST_WAIT_MINUTES * 60_000;
  await sleep(KNOWN_MS);
  for (;;) {
    const seen = await api.state().then(
      ({ atWork }) => atWork,
      (error) => `an unknown number of (${error.message})`,
    );
    if (seen === 0) return log('Pause: nothing is at work.');
    if (now() >= until) {
      return log(`Pause: ${seen} pieces of work go on after ${MOST_WAIT_MINUTES} minutes; each resumes later.`);
    }
    await sleep(10_000);
  }
}

/** A pause ends by itself; that it could not be ended here fails no release. */
export async function endPause({ log }, api, reason) {
  try {
    await api.command('drain.end', {}, reason);
    log('Pause: it has ended.');
  } catch (error) {
    log(`Pause: it ends by itself within ${PAUSE_MINUTES} minutes; ending it now failed: ${error.message}`);
  }
}
