import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';

/** Calls `begin` when the address asks for something new with `?new`, which it then no longer does. */
export const useAskedForNew = (begin: () => void): void => {
  const { query, path, route } = useLocation();
  const isAsked = 'new' in query;
  useEffect(() => {
    if (!isAsked) return;
    route(path, true);
    begin();
  }, [isAsked]);
};
