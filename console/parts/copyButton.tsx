import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icons.js';

/** Copies a text that stands beside it. */
export function CopyButton({ text }: { readonly text: string }): JSX.Element {
  const [copied, setCopied] = useState<string>();
  const isCopied = copied === text;
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(text);
      },
      () => undefined, // Not allowed here: the text can be marked by hand.
    );
  };
  return (
    <button type="button" class="small" onClick={copy}>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span>{isCopied ? 'Copied' : 'Copy'}</span>
    </button>
  );
}
