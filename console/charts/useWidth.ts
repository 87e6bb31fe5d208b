import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Width of an element in whole CSS pixels, kept up to date. @param first until it is known */
export function useWidth<E extends HTMLElement>(first: number): readonly [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(first);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(element.current);
    return () => {
      observer.disconnect();
    };
  }, []);
  return [element, width];
}
