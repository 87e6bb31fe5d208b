import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { CopyButton } from '../../parts/copyButton.js';

interface ShownOnceProps {
  readonly secret: string;
  readonly onStored: () => void;
}

/** A secret that nobody is shown again. */
export function ShownOnce({ secret, onStored }: ShownOnceProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus();
  }, [secret]);
  return (
    <div class="note stack shown-once" role="group" aria-label="Secret, shown once" tabIndex={-1} ref={box}>
      <p>
        This secret signs what is sent. It is shown this once: store it where your receiver reads it, for nobody can
        read it later.
      </p>
      <p class="trace">
        <code>{secret}</code> <CopyButton text={secret} />
      </p>
      <div class="row">
        <button type="button" class="small" onClick={onStored}>
          I have stored it
        </button>
      </div>
    </div>
  );
}
