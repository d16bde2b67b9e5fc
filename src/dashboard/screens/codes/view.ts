import { useState } from 'preact/hooks';

/** How codes are listed. */
export type View = 'tiles' | 'list';

const KEY = 'tessera.codes.view';

const remembered = (): View => {
  try {
    return localStorage.getItem(KEY) === 'list' ? 'list' : 'tiles';
  } catch {
    // The browser may forbid pages to keep anything.
    return 'tiles';
  }
};

/** The way in which this browser lists codes, on every screen, until somebody changes it. */
export const useView = (): readonly [View, (view: View) => void] => {
  const [view, setView] = useState(remembered);
  const change = (next: View): void => {
    setView(next);
    try {
      localStorage.setItem(KEY, next);
    } catch {}
  };
  return [view, change];
};
