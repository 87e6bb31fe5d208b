/** Told of the bytes that have left, and of those there are. */
export type Progress = (sent: number, total: number) => void;

export interface Multipart {
  readonly type: string;
  readonly body: Blob;
}

/** The two parts of a submission. A file stays where it is until it is sent. */
export function multipartOf(request: object, geojson: Blob): Multipart {
  const boundary = `fields-${crypto.randomUUID()}`;
  const head = (name: string, type: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}.json"\r\nContent-Type: ${type}\r\n\r\n`;
  const body = new Blob([
    head('request', 'application/json'),
    JSON.stringify(request),
    `\r\n${head('geojson', 'application/geo+json')}`,
    geojson,
    `\r\n--${boundary}--\r\n`,
  ]);
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}

/** The bytes of a body, counted as they are taken. */
export function counted(body: Blob, onProgress: Progress): ReadableStream<Uint8Array> {
  let sent = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.byteLength;
      onProgress(sent, body.size);
      controller.enqueue(chunk);
    },
  });
  return body.stream().pipeThrough(counter);
}
