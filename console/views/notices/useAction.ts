import { useState } from 'preact/hooks';

/** Something that is asked for by a button, one at a time. */
export interface Action {
  readonly isBusy: boolean;
  /** Why the latest did not come about. */
  readonly error: unknown;
  /** What the latest has brought about, in words. */
  readonly said: string;
  /** @param ask what is done; its text is what is said afterwards */
  readonly run: (ask: () => Promise<string>) => void;
}

export function useAction(): Action {
  const [state, setState] = useState<Omit<Action, 'run'>>({ isBusy: false, error: undefined, said: '' });
  const run = (ask: () => Promise<string>): void => {
    setState({ isBusy: true, error: undefined, said: '' });
    ask().then(
      (said) => {
        setState({ isBusy: false, error: undefined, said });
      },
      (error: unknown) => {
        setState({ isBusy: false, error, said: '' });
      },
    );
  };
  return { ...state, run };
}
