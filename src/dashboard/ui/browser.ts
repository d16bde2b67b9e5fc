/** The window as components see it, and what this browser remembers about a person. It may forbid pages to store. */
import { useEffect, useState } from 'preact/hooks';

/** Whether a media query holds now; the component is shown anew when that changes. */
export const useMedia = (query: string): boolean => {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const look = () => setHolds(media.matches);
    look();
    media.addEventListener('change', look);
    return () => media.removeEventListener('change', look);
  }, [query]);
  return holds;
};

/** Makes the browser ask before somebody leaves the page while it is busy. */
export const useLeaveWarning = (busy: boolean): void =>
  useEffect(() => {
    if (!busy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [busy]);

/** Returns what was kept under a key; `null` for nothing. */
export const readKept = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

/** Keeps a text under a key, if the browser lets it. */
export const keep = (key: string, text: string): void => {
  try {
    localStorage.setItem(key, text);
  } catch {}
};

/** Returns a text once it has stayed the same for a while; until then, the one before. */
export const useSettled = (text: string, pauseMs: number): string => {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return settled;
};
