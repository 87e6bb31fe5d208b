// What a customer finds in the storage after a backfill, read with the SAS alone, and what is wrong with it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { pause } from './quiet.mjs';

const DATES = 'fieldimagery:dates';
/** Whoever waits for storage without an end would keep a run from ever telling what it found. */
const ANSWER_MS = 30_000;

/** The files of one customer. `access` is what the SAS operation answered. */
export class CustomerFiles {
  #root;
  #ca;
  #access;
  #limitMs;

  constructor({ blobEndpoint, caFile }, access, limitMs = ANSWER_MS) {
    this.#limitMs = limitMs;
    this.#root = `${blobEndpoint}/${access.file_system}`;
    this.#ca = readFileSync(caFile, 'utf8');
    this.#access = access;
  }

  /** Every file's name below the customer's folder. */
  async list() {
    const { path, sas_token: sas } = this.#access;
    const names = [];
    for (let marker = ''; ;) {
      const prefix = encodeURIComponent(`${path}/`);
      const query = `restype=container&comp=list&prefix=${prefix}&marker=${encodeURIComponent(marker)}`;
      const xml = (await this.#download(`?${query}&${sas}`)).toString('utf8');
      names.push(...[...xml.matchAll(/<Name>([^<]+)<\/Name>/g)].map((match) => match[1].slice(path.length + 1)));
      marker = /<NextMarker>([^<]+)<\/NextMarker>/.exec(xml)?.[1] ?? '';
      if (marker === '') return names;
    }
  }

  read(name) {
    const { path, sas_token: sas } = this.#access;
    return this.#download(`/${path}/${name.split('/').map(encodeURIComponent).join('/')}?${sas}`);
  }

  async json(name) {
    return JSON.parse(await this.read(name));
  }

  /** A read that got no answer is repeated once: that harms nothing, and a connection may have been lost. */
  async #download(path) {
    return this.#ask(path).catch((error) => {
      if (error.isUnanswered !== true) throw error;
      return this.#ask(path);
    });
  }

  #ask(path) {
    const signal = AbortSignal.timeout(this.#limitMs);
    return new Promise((resolve, reject) => {
      const fail = (cause) => {
        // The rest of the path is the customer's access.
        const [name] = path.split('?');
        const text = `${name || 'the list of files'}: no whole answer of storage in ${this.#limitMs} ms`;
        reject(signal.aborted ? Object.assign(new Error(text, { cause }), { isUnanswered: true }) : cause);
      };
      request(`${this.#root}${path}`, { ca: this.#ca, signal }, (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.once('error', fail);
        answer.on('end', () => {
          const bytes = Buffer.concat(chunks);
          if (answer.statusCode === 200) resolve(bytes);
          else reject(new Error(`${answer.statusCode} ${bytes.toString('utf8').slice(0, 200)}`));
        });
      })
        .once('error', fail)
        .end();
    });
  }
}

/** Waits until every field has an index of every day; gives the fields that have none when it takes too long. */
export async function untilLooked(files, { fieldIds, days }, limitMs) {
  const deadline = Date.now() + limitMs;
  const isLooked = async (fieldId) => {
    const index = await files.json(`sentinel-2/${fieldId}/index.json`).catch(() => undefined);
    return index !== undefined && index[DATES].length >= days.length;
  };
  let open = [...fieldIds];
  while (open.length > 0 && Date.now() < deadline) {
    // From the front as far as they are done: the rest is asked again.
    while (open.length > 0 && (await isLooked(open[0]))) open = open.slice(1);
    if (open.length > 0) await pause(1_000);
  }
  return open;
}

/** Checks every file of every field; gives the layers' checksums by name. What is wrong is added to `breaches`. */
export async function inspect(files, { fieldIds, days }, breaches) {
  const names = new Set(await files.list());
  const checksums = new Map();
  const expected = new Set();
  for (const fieldId of fieldIds) {
    const root = `sentinel-2/${fieldId}`;
    expected.add(`${root}/index.json`);
    const index = await files.json(`${root}/index.json`);
    const linked = index.links.filter(({ rel }) => rel === 'item').map(({ title }) => title);
    const done = index[DATES].filter(({ outcome }) => outcome === 'done').map(({ date }) => date);
    if (done.length > 0) {
      expected.add(`${root}/items.json`);
      const items = await files.json(`${root}/items.json`);
      if (items.features.map(({ id }) => id.slice(-10)).join() !== done.join())
        breaches.push(`${root}: the items list other days`);
    }
    const lines = index[DATES].flatMap(({ date, statistics = {} }) =>
      Object.keys(statistics).map((layer) => `${date},${layer}`),
    );
    if (lines.length > 0) {
      expected.add(`${root}/statistics.csv`);
      const csv = Buffer.from(await files.read(`${root}/statistics.csv`)).toString('utf8');
      const told = csv.split('\r\n').slice(1, -1);
      if (told.map((line) => line.split(',', 2).join()).join(';') !== lines.join(';'))
        breaches.push(`${root}: statistics and index differ`);
    }
    if (index[DATES].map(({ date }) => date).join() !== days.join())
      breaches.push(`${root}: the index lists other days`);
    for (const day of index[DATES]) {
      if ((day.outcome === 'done') !== linked.includes(day.date))
        breaches.push(`${root}/${day.date}: link and outcome`);
      if (day.outcome === 'done') await inspectDay(files, { root, day, expected, checksums }, breaches);
      else if (day.outcome !== 'cloud') breaches.push(`${root}/${day.date} is ${day.outcome}`);
    }
  }
  for (const name of names) if (!expected.has(name)) breaches.push(`${name} is named by nothing`);
  for (const name of expected) if (!names.has(name)) breaches.push(`${name} is missing`);
  return checksums;
}

async function inspectDay(files, { root, day, expected, checksums }, breaches) {
  const folder = `${root}/${day.date}`;
  const item = await files.json(`${folder}/metadata.json`);
  expected.add(`${folder}/metadata.json`);
  if (Object.keys(item.assets).join() !== day.layers.join()) breaches.push(`${folder}: document and index differ`);
  for (const [layer, asset] of Object.entries(item.assets)) {
    const name = `${folder}/${layer}.tiff`;
    expected.add(name);
    const bytes = await files.read(name);
    const checksum = `1220${createHash('sha256').update(bytes).digest('hex')}`;
    if (bytes.length !== asset['file:size'] || checksum !== asset['file:checksum'])
      breaches.push(`${name} is not whole`);
    checksums.set(name, checksum);
  }
}
