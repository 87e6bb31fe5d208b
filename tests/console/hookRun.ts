import { createElement, render } from 'preact';
import { act } from 'preact/test-utils';

/** A hook that runs in a component which draws nothing. */
export interface HookRun<Given, Value> {
  /** What each drawing of the component was given by the hook, in order. */
  readonly values: readonly Value[];
  /** Draws the component anew. */
  readonly draw: (given: Given) => void;
  /** Takes the component away. */
  readonly end: () => void;
}

/** Runs a hook without a page; its effects have run when a call returns. */
export function runHook<Given, Value>(hook: (given: Given) => Value, first: NoInfer<Given>): HookRun<Given, Value> {
  // All that Preact asks of a page that stays empty.
  const document = Object.getOwnPropertyDescriptor(globalThis, 'document');
  Object.defineProperty(globalThis, 'document', { value: {}, configurable: true });
  const place = { childNodes: [], firstChild: null } as unknown as HTMLElement;
  const values: Value[] = [];
  const Host = ({ given }: { readonly given: Given }): null => {
    values.push(hook(given));
    return null;
  };
  const draw = (given: Given): void => {
    void act(() => {
      render(createElement(Host, { given }), place);
    });
  };
  draw(first);
  return {
    values,
    draw,
    end: () => {
      void act(() => {
        render(null, place);
      });
      if (document === undefined) Reflect.deleteProperty(globalThis, 'document');
      else Object.defineProperty(globalThis, 'document', document);
    },
  };
}
