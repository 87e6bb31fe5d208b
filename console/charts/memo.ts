import { Component, createElement, type ComponentType, type JSX } from 'preact';

/** A component that is drawn again only when one of its properties is another one. */
export function memo<P extends object>(Drawn: (props: P) => JSX.Element | null): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const names = new Set([...Object.keys(this.props), ...Object.keys(next)]) as Set<keyof P>;
      return [...names].some((name) => this.props[name] !== next[name]);
    }

    override render(): JSX.Element {
      return createElement(Drawn, this.props as P & JSX.IntrinsicAttributes);
    }
  };
}
