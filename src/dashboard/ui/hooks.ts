/** What screens ask of the browser and of the session. */
import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { isLineDown, onLine } from '../api/line.ts';
import type { Session } from '../api/shapes.ts';

/** The session of the person who is signed in; `null` outside of the screens. */
export const SessionContext = createContext<Session | null>(null);

/**
 * Returns the session of the person who is signed in.
 * @throws Outside of the screens, which are shown only to people who are signed in.
 */
export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession was called outside of SessionContext');
  return session;
};

/** Returns the name of the account that is signed in, or `null` when none is. */
export const useAccountName = (): string | null => useContext(SessionContext)?.account.name ?? null;

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

/** Whether the service cannot be reached. */
export const useLineDown = (): boolean => {
  const [isDown, setDown] = useState(isLineDown);
  useEffect(() => onLine(setDown), []);
  return isDown;
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

/** Returns an object that stays the same and has the latest of these functions: who gets it need not be rendered again. */
export const useSteady = <T extends object>(functions: T): T =>
  Object.assign(useRef(functions).current, functions);

/** Returns an address for bytes; `null` of none. @param blob `undefined`: the earlier ones stay. */
export const useObjectUrl = (blob: Blob | null | undefined): string | null => {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (blob === undefined) return;
    const made = blob && URL.createObjectURL(blob);
    setUrl(made);
    return () => (made === null ? undefined : URL.revokeObjectURL(made));
  }, [blob]);
  return url;
};
