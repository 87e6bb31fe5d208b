// Every write of a job's row that storage took, in its order, as the proxy in front of storage sees it: the product keeps
// the latest state alone.

const ROW = /\/jobs(\(|\/|\b)|\$batch/;

/** Which job a write is about and what it makes of it; undefined for other requests. */
function writeOf({ service, method, path, body }) {
  if (service !== 'table' || !['POST', 'PUT', 'PATCH', 'MERGE'].includes(method) || !ROW.test(path)) return undefined;
  const text = body.toString('utf8');
  const [, solution, jobId] = /JOB_[^|'"]*\|([^|'"]*)\|([A-Za-z0-9._-]+)/.exec(decodeURIComponent(path) + text) ?? [];
  const status = /"status":"([A-Z]+)"/.exec(text)?.[1];
  const runsAgain = /\\"rerun\\":\{/.test(text);
  return jobId === undefined || status === undefined ? undefined : { job: `${solution}/${jobId}`, status, runsAgain };
}

/** A transaction is answered 202 whatever becomes of it; what became of it stands inside. */
const isTaken = ({ status, body }) => status < 300 && !/HTTP\/1\.1 [45]\d\d/.test(body.toString('latin1'));

/** Records what passes the proxy. @returns the trail: `{ job, status, at }`, growing */
export function recordTrail(proxy) {
  const trail = [];
  proxy.onAnswer((request, answer) => {
    const write = writeOf(request);
    if (write !== undefined && isTaken(answer)) trail.push({ ...write, at: Date.now() });
  });
  return trail;
}

const ENDED = ['SUCCEEDED', 'FAILED', 'CANCELLED'];

/** I4: once the row of a job held an end, nothing else was written to it, but by the runs of one that runs again. */
export function checkTrail(trail, breaches) {
  const ends = new Map();
  for (const { job, status, runsAgain } of trail) {
    const end = ends.get(job);
    const isRerun = status === 'SUCCEEDED' && end?.runsAgain === true;
    if (end !== undefined && !isRerun) breaches.push(`I4: ${job} was written ${status} after ${end.status}`);
    if (isRerun || (end === undefined && ENDED.includes(status))) ends.set(job, { status, runsAgain });
  }
  return trail.length;
}
