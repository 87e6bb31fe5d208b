import type { FunctionComponent, JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/**
 * A component that draws nothing at first, and itself before anybody sees that.
 *
 * The properties of an element keep the first state of each component in it, with all that was drawn below, for as long
 * as only the component draws itself again. What is kept by `memo` links that state to all later ones, so that none is
 * ever let go: an empty state links nothing.
 */
export const emptyFirst = <P extends object>(Drawn: FunctionComponent<P>): ((props: P) => JSX.Element | null) =>
  function EmptyFirst(props) {
    const [isFirst, setFirst] = useState(true);
    useLayoutEffect(() => {
      setFirst(false);
    }, []);
    return isFirst ? null : <Drawn {...props} />;
  };
