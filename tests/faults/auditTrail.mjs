// Every write of a job's row that storage took, in its order, as the proxy in front of storage sees it: the product keeps
// the latest state alone.

const ROW = /\/work(\(|\/|\b)|\$batch/;
/** The job of its row, JSON as a text within JSON; the request of a transaction holds the entities of all its rows. */
const JOB = /"job":("(?:[^"\\]|\\.)*")/;

/** What a write makes of a job; undefined for other requests. */
function writeOf({ service, method, path, body }) {
  if (service !== 'table' || !['POST', 'PUT', 'PATCH', 'MERGE'].includes(method) || !ROW.test(path)) return undefined;
  const text = JOB.exec(body.toString('utf8'))?.[1];
  return text === undefined ? undefined : JSON.parse(JSON.parse(text));
}

/** A transaction is answered 202 whatever becomes of it; what became of it stands inside. */
const isTaken = ({ status, body }) => status < 300 && !/HTTP\/1\.1 [45]\d\d/.test(body.toString('latin1'));

/** Records what passes the proxy. @returns the trail: jobs as written, growing */
export function recordTrail(proxy) {
  const trail = [];
  proxy.onAnswer((request, answer) => {
    const job = writeOf(request);
    if (job !== undefined && isTaken(answer)) trail.push(job);
  });
  return trail;
}

const ENDED = ['SUCCEEDED', 'FAILED', 'CANCELLED'];

/** What the runs of a job that runs again, and whoever takes an insight back, write to an ended job: nobody can see that. */
const lasting = ({ epoch: _epoch, rerun: _rerun, ...job }) => JSON.stringify(Object.entries(job).sort());

/** Whether something is still to be done about an ended job, and its claims may write to its row. */
const isOpen = ({ status, rerun }) => status !== 'SUCCEEDED' || rerun !== undefined;

/** I4: once the row of a job held an end, nothing that its tenant could see was changed, and its epoch never sank. */
export function checkTrail(trail, breaches) {
  const ends = new Map();
  for (const job of trail) {
    const key = `${job.solution}/${job.jobId}`;
    const end = ends.get(key);
    if (end !== undefined && (!isOpen(end) || lasting(job) !== lasting(end) || job.epoch < end.epoch))
      breaches.push(`I4: ${key} was written ${job.status} after ${end.status}`);
    else if (ENDED.includes(job.status)) ends.set(key, job);
  }
  return trail.length;
}
