import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Session } from './api/shapes.ts';

export const SessionContext = createContext<Session | null>(null);

/** Who is signed in; for screens, which are only shown then. */
export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('this screen is for people who are signed in');
  return session;
};
