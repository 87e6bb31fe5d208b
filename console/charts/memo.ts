import { Component, createElement, type ComponentType, type JSX } from 'preact';

/** Whether a property of the first is another one in the second, or none. */
const hasOther = <P extends object>(one: Readonly<P>, other: Readonly<P>): boolean =>
  (Object.keys(one) as (keyof P)[]).some((name) => one[name] !== other[name]);

/** A component that is drawn again only when one of its properties is another one. */
export function memo<P extends object>(Drawn: (props: P) => JSX.Element | null): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return hasOther(next, this.props) || hasOther(this.props, next);
    }

    override render(): JSX.Element {
      return createElement(Drawn, this.props as P & JSX.IntrinsicAttributes);
    }
  };
}
