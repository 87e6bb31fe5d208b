import { MIMEType } from 'node:util';

/** The headers of a part by their names in lower case, each with all its values. */
export type PartHeaders = Readonly<Record<string, readonly string[]>>;

/** What the headers of a part say of it. */
export interface PartDescription {
  /** Undefined for a part that is none of a form, or has no name. */
  readonly name: string | undefined;
  /** In lower case; text where nothing is said. */
  readonly contentType: string;
  /** As it is written; undefined where none is named. */
  readonly charset: string | undefined;
  /** In lower case; empty where nothing is said. */
  readonly transferEncoding: string;
}

/** Reads the headers of a part of a form (RFC 7578); what can't be understood counts as not said. */
export function describePart(headers: PartHeaders): PartDescription {
  const first = (name: string): string => (headers[name]?.[0] ?? '').trim();
  // A disposition is written as a type is, but for the first half of its name.
  const disposition = parsedType(`part/${first('content-disposition')}`);
  const type = parsedType(first('content-type'));
  return {
    name: disposition?.essence === 'part/form-data' ? (disposition.params.get('name') ?? undefined) : undefined,
    contentType: type?.essence ?? 'text/plain',
    charset: type?.params.get('charset') ?? undefined,
    transferEncoding: first('content-transfer-encoding').toLowerCase(),
  };
}

/** A content type with its parameters; undefined for one that is none. */
export function parsedType(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text);
  } catch {
    return undefined;
  }
}
