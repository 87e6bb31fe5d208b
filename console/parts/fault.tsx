import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../api/errors.js';
import { Icon } from './icons.js';
import { plainWords } from './plainWords.js';

/** An id to tell, with a button that copies it. */
export function TraceId({ id }: { readonly id: string }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(id).then(
      () => {
        setCopied(true);
      },
      () => undefined, // Not allowed here: the id can be marked by hand.
    );
  };
  return (
    <span class="trace">
      <span>Trace id</span> <code>{id}</code>
      <button type="button" class="small" onClick={copy}>
        <Icon name={isCopied ? 'check' : 'copy'} />
        <span>{isCopied ? 'Copied' : 'Copy'}</span>
      </button>
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
