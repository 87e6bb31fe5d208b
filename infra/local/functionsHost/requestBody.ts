import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';

/** The caller sent more than the host takes; the host answers 500 then, not 413. */
export class BodyTooLarge extends Error {}

/** The caller went away before the body was whole. */
export class BodyIncomplete extends Error {}

/**
 * The body of a request that announced its length, in pieces: the host takes it whole before anything runs. Undefined for a
 * chunked request, which is not read here.
 */
export async function bufferedBody(request: IncomingMessage, limitBytes: number): Promise<Buffer[] | undefined> {
  const announced = request.headers['content-length'];
  if (announced === undefined) return request.headers['transfer-encoding'] === undefined ? [] : undefined;
  if (Number(announced) > limitBytes) {
    request.resume();
    throw new BodyTooLarge(`The body of ${announced} bytes is above the host's limit of ${limitBytes}.`);
  }
  // They are not put together: two copies of 50 MB would be too much.
  const pieces: Buffer[] = [];
  try {
    for await (const piece of request) pieces.push(piece as Buffer);
  } catch (cause) {
    throw new BodyIncomplete('The caller ended the connection while the body was read.', { cause });
  }
  return pieces;
}

/** A chunked body as it comes in; it breaks off with an error above the limit. */
export function streamedBody(request: IncomingMessage, limitBytes: number): Transform {
  let bytes = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      bytes += chunk.length;
      if (bytes > limitBytes) done(new BodyTooLarge(`The body is above the host's limit of ${limitBytes} bytes.`));
      else done(null, chunk);
    },
  });
  request.once('error', (cause) => body.destroy(cause));
  request.once('aborted', () => body.destroy(new BodyIncomplete('The caller ended the connection.')));
  // Unheard, the error of a body that nobody reads any more would end the process.
  body.on('error', () => {
    request.unpipe(body);
    request.resume();
  });
  return request.pipe(body);
}

/** Reads what is left of a request nobody reads any more, so that the connection can be used again. */
export function discardRest(request: IncomingMessage): void {
  request.unpipe();
  request.resume();
}
