import type { ComponentChildren, JSX } from 'preact';
import { ApiError } from '../api/errors.js';
import { CopyButton } from './copyButton.js';
import { plainWords } from './plainWords.js';

/** An id to tell, with a button that copies it. */
export function TraceId({ id }: { readonly id: string }): JSX.Element {
  return (
    <span class="trace">
      <span>Trace id</span> <code>{id}</code>
      <CopyButton text={id} />
    </span>
  );
}

/** What happened, what to do, and the id to tell. */
export function Fault({
  error,
  title,
  children,
}: {
  readonly error: unknown;
  readonly title?: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { message, details, traceId, code } = faultOf(error);
  return (
    <div class="fault" role="alert">
      {title === undefined ? null : <strong>{title}</strong>}
      <p>{plainWords(message)}</p>
      {details.length === 0 ? null : (
        <ul>
          {details.map(({ loc, msg }) => (
            <li key={`${loc.join('.')}${msg}`}>{plainWords(msg)}</li>
          ))}
        </ul>
      )}
      {code === '' ? null : <p class="quiet">Code {code}</p>}
      {traceId === undefined ? null : <TraceId id={traceId} />}
      {children}
    </div>
  );
}

/** Any error as one that can be shown; what the page itself got wrong has no more to say than its text. */
const faultOf = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(error instanceof Error ? error.message : String(error), {});
