import { useEffect, useState } from 'preact/hooks';
import { imageUrl } from './image-url.ts';

const SIZE_PX = 200;
/**
 * Pause between two pictures. By default an account may send 50 requests a second, and a page of codes asks for
 * more.
 */
const SPACING_MS = 30;
const RETRY_MS = 2000;
const MAX_TRIES = 3;

let lastRequestMs = 0;

/** Returns the milliseconds until the next picture may be requested. Each call reserves one request. */
const delayMs = (): number => {
  const nowMs = performance.now();
  lastRequestMs = Math.max(nowMs, lastRequestMs + SPACING_MS);
  return lastRequestMs - nowMs;
};

/**
 * Shows the picture of a saved code, small. Screen readers skip it, since the content stands beside it.
 *
 * @param version As in `imageUrl`.
 */
export const Thumbnail = ({
  id,
  version,
}: {
  readonly id: string;
  readonly version?: string | undefined;
}) => {
  const [tries, setTries] = useState(0);
  const [waitMs, setWaitMs] = useState<number | null>(0);
  useEffect(() => {
    if (waitMs === null) return;
    const timer = setTimeout(() => {
      setTries((count) => count + 1);
      setWaitMs(null);
    }, waitMs + delayMs());
    return () => clearTimeout(timer);
  }, [waitMs]);
  if (tries === 0) return null;
  return (
    <img
      key={tries}
      src={imageUrl(id, 'png', SIZE_PX, version)}
      alt=""
      width={SIZE_PX}
      height={SIZE_PX}
      loading="lazy"
      onError={() => setWaitMs(tries < MAX_TRIES ? RETRY_MS : null)}
    />
  );
};
