import { useEffect, useState } from 'preact/hooks';
import { imageUrl } from './image-url.ts';

const SIZE_PX = 200;
/** An account may ask for some fifty things a second, unless the operator says otherwise; a page of codes would be more. */
const SPACING_MS = 30;
const RETRY_MS = 2000;
const MAX_TRIES = 3;

let lastTurnMs = 0;

/** Milliseconds until the next picture may be asked for; each call takes one turn. */
const nextTurn = (): number => {
  const nowMs = performance.now();
  lastTurnMs = Math.max(nowMs, lastTurnMs + SPACING_MS);
  return lastTurnMs - nowMs;
};

/** The picture of a saved code, small; decoration beside its content. */
export const Thumbnail = ({ id }: { readonly id: string }) => {
  const [tries, setTries] = useState(0);
  const [waitMs, setWaitMs] = useState<number | null>(0);
  useEffect(() => {
    if (waitMs === null) return;
    const timer = setTimeout(() => {
      setTries((count) => count + 1);
      setWaitMs(null);
    }, waitMs + nextTurn());
    return () => clearTimeout(timer);
  }, [waitMs]);
  if (tries === 0) return null;
  return (
    <img
      key={tries}
      src={imageUrl(id, 'png', SIZE_PX)}
      alt=""
      width={SIZE_PX}
      height={SIZE_PX}
      loading="lazy"
      onError={() => setWaitMs(tries < MAX_TRIES ? RETRY_MS : null)}
    />
  );
};
