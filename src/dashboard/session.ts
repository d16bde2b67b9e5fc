import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Session } from './api/shapes.ts';

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
