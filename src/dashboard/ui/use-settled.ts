import { useEffect, useState } from 'preact/hooks';

/** Returns a text once it has stayed the same for a while; until then, the one before. */
export const useSettled = (text: string, pauseMs: number): string => {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return settled;
};
