// Events that were received, as files: a database would have a table with the id as its key.
import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Opens a folder of events, each a file of its id, and has those worked on that nobody has worked on yet. */
export async function openInbox(folder, work) {
  await mkdir(folder, { recursive: true });
  const fileOf = (id, end) => join(folder, `${encodeURIComponent(id)}.${end}`);
  let last = Promise.resolve();

  /** One event after the other, each until its work is done. */
  const workOn = (id) => {
    last = last.then(async () => {
      await work(JSON.parse(await readFile(fileOf(id, 'json'), 'utf8')));
      await writeFile(fileOf(id, 'done'), '');
    });
    // What fails is tried again at the next start.
    last = last.catch((error) => console.error(`${id}: ${error.message}`));
  };

  /** Stores an event; what is there already is left as it is. */
  const store = async (id, text) => {
    const draft = fileOf(id, `${randomUUID()}.draft`);
    await writeFile(draft, text);
    try {
      // Only a whole file gets the name, and only the first one.
      await link(draft, fileOf(id, 'json'));
      workOn(id);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    } finally {
      await rm(draft);
    }
  };

  const names = await readdir(folder);
  const left = names.filter((name) => name.endsWith('.json') && !names.includes(name.replace(/json$/, 'done')));
  for (const name of left) workOn(decodeURIComponent(name.slice(0, -'.json'.length)));
  return { store };
}
