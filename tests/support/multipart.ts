import { Buffer } from 'node:buffer';

/** One part as it goes over the wire. */
export interface WirePart {
  readonly name?: string;
  readonly filename?: string | undefined;
  readonly type?: string | undefined;
  readonly data: string | Uint8Array;
  /** Further header lines. */
  readonly headers?: readonly string[];
}

export const BOUNDARY = 'boundary-of-the-test';

/** A multipart body as clients write it. */
export function multipartBody(parts: readonly WirePart[], boundary = BOUNDARY, newline = '\r\n'): Buffer {
  const pieces = parts.flatMap(({ name, filename, type, data, headers = [] }) => {
    const disposition = [
      'Content-Disposition: form-data',
      ...(name === undefined ? [] : [`name="${name}"`]),
      ...(filename === undefined ? [] : [`filename="${filename}"`]),
    ].join('; ');
    const lines = [disposition, ...(type === undefined ? [] : [`Content-Type: ${type}`]), ...headers];
    return [`--${boundary}${newline}${lines.join(newline)}${newline}${newline}`, data, newline];
  });
  return Buffer.concat([...pieces, `--${boundary}--${newline}`].map((piece) => Buffer.from(piece)));
}

export const multipartType = (boundary = BOUNDARY): string => `multipart/form-data; boundary=${boundary}`;

/** The two parts of a submission as curl sends them. */
export const submissionParts = (request: string | Uint8Array, geojson: string | Uint8Array): WirePart[] => [
  { name: 'request', filename: 'request.json', type: 'application/json', data: request },
  { name: 'geojson', filename: 'fields.geojson', type: 'application/geo+json', data: geojson },
];
