import { type MutableRef, useEffect } from 'preact/hooks';

const GAP_PX = 16;

/**
 * Keeps an element of `position: sticky` in sight: at the top of the window, or, when it is taller than the window,
 * with its end at the bottom, so that everything in it can be scrolled to.
 */
export const useSticky = (element: MutableRef<HTMLElement | null>): void => {
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const place = () => {
      current.style.top = `${Math.min(GAP_PX, innerHeight - current.offsetHeight - GAP_PX)}px`;
    };
    const sizes = new ResizeObserver(place);
    sizes.observe(current);
    addEventListener('resize', place);
    return () => {
      sizes.disconnect();
      removeEventListener('resize', place);
    };
  }, []);
};
