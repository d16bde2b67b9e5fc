/** Where a person was on a screen, kept with its entry in the history, so that Back and a reload lead there. */

interface Place {
  readonly scrolledPx?: number;
  /** How many pages each list shows, by its path in the API. */
  readonly pages?: Readonly<Record<string, number>>;
}

const placeHere = (): Place => history.state ?? {};

const remember = (change: Place): void => history.replaceState({ ...placeHere(), ...change }, '');

/** Returns how many pages of a list were shown here. */
export const pagesHere = (list: string): number => placeHere().pages?.[list] ?? 1;

export const rememberPages = (list: string, count: number): void =>
  remember({ pages: { ...placeHere().pages, [list]: count } });

/** Browsers refuse frequent changes of the history. */
const PAUSE_MS = 200;
const ACTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'];

/**
 * Remembers how far each entry of the history is scrolled. When a person returns to one, scrolls there as soon as the
 * page is long enough, unless that person does something before.
 */
export const rememberScrolling = (): void => {
  let wantedPx: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = (): void => {
    if (wantedPx === null) remember({ scrolledPx: scrollY });
  };
  const stop = (): void => {
    wantedPx = null;
    grown.disconnect();
  };
  const grown = new ResizeObserver(() => {
    if (wantedPx === null) return;
    scrollTo(0, wantedPx);
    if (Math.abs(scrollY - wantedPx) < 1) stop();
  });
  const bringBack = (): void => {
    clearTimeout(timer);
    stop();
    wantedPx = placeHere().scrolledPx ?? 0;
    grown.observe(document.body);
  };
  history.scrollRestoration = 'manual';
  bringBack();
  addEventListener('popstate', bringBack);
  addEventListener('scroll', () => {
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE_MS);
  });
  // Before the click leads elsewhere.
  addEventListener('click', save, { capture: true });
  for (const act of ACTS) addEventListener(act, stop, { passive: true });
};
