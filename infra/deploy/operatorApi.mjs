// What a release asks of the service's operator API: pause, and whether the pause has come. The pipeline's identity has
// the role Release of the service's application, which is good for these two alone.

const PAUSE_MINUTES = 30;
const MOST_WAIT_MINUTES = 10;

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
 * Has work pause and waits until nothing is at work, ten minutes at most: what then still works is resumed by its lease.
 *
 * @returns {Promise<boolean>} whether the service pauses
 */
export async function startPause(ports, api, reason) {
  const { log, now, sleep } = ports;
  try {
    await api.command('drain.start', { minutes: PAUSE_MINUTES }, reason);
  } catch (error) {
    if (error.status !== 404) throw error;
    log('Pause: the version that runs knows none.');
    return false;
  }
  for (const until = now() + MOST_WAIT_MINUTES * 60_000; ; await sleep(10_000)) {
    const { atWork } = await api.state();
    if (atWork === 0) log('Pause: nothing is at work.');
    else if (now() >= until)
      log(`Pause: ${atWork} pieces of work go on after ${MOST_WAIT_MINUTES} minutes; each resumes later.`);
    else continue;
    return true;
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
