import { Busboy, type BusboyHeaders } from 'busboy';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { invalid, WireError } from './wire.js';

/** The parts of a multipart/form-data body. */
export interface MultipartForm {
  readonly texts: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, { readonly name: string; readonly content: Buffer }>;
}

/** @throws WireError 415 when the body is no multipart/form-data, 400 when it is broken or names a part twice */
export async function readMultipartForm(headers: IncomingHttpHeaders, body: Buffer): Promise<MultipartForm> {
  if (!/^multipart\/form-data\s*;/i.test(headers['content-type'] ?? '')) {
    throw new WireError(415, 'UnsupportedMediaType', 'Send an attachment as multipart/form-data.');
  }
  try {
    return await parse(headers, body);
  } catch (cause) {
    throw cause instanceof WireError ? cause : invalid('The multipart body is broken.');
  }
}

async function parse(headers: IncomingHttpHeaders, body: Buffer): Promise<MultipartForm> {
  const texts = new Map<string, string>();
  const files = new Map<string, { name: string; content: Buffer }>();
  const seen: string[] = [];
  const parser = new Busboy({ headers: headers as BusboyHeaders });
  parser.on('field', (name, value) => {
    seen.push(name);
    texts.set(name, value);
  });
  parser.on('file', (name, stream, filename) => {
    seen.push(name);
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => files.set(name, { name: filename, content: Buffer.concat(chunks) }));
  });
  const finished = once(parser, 'finish');
  parser.end(body);
  await finished;
  if (new Set(seen).size !== seen.length) throw invalid('A part is there twice.');
  return { texts, files };
}
