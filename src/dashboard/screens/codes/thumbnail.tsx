/** What a saved code is called, where it leads, and its picture. */
import { useEffect, useState } from 'preact/hooks';
import { BASE } from '../../api/client.ts';
import type { Code } from '../../api/shapes.ts';

/** The folder into which the designer saves when nobody names another. */
export const DESIGNED_FOLDER = 'Designed codes';

/** Drops the beginning that most addresses share. */
const shown = (text: string): string => text.replace(/^https?:\/\/(www\.)?/, '');

/** Returns where a code leads at present, or what it says. */
export const leadsTo = ({ destination, content }: Pick<Code, 'destination' | 'content'>): string =>
  shown(destination ?? content);

/** Returns the name of a code, or else where it leads. */
export const labelOf = (code: Pick<Code, 'name' | 'destination' | 'content'>): string =>
  code.name ?? leadsTo(code);

/**
 * Returns the address of the picture of a saved code. Without a width it is the size that the code was made with.
 *
 * @param version Changes whenever the picture does. Browsers show a changed picture only under another address.
 */
export const imageUrl = (id: string, format: 'png' | 'svg', width?: number, version?: string): string => {
  const query = new URLSearchParams({
    format,
    ...(width !== undefined && { width: String(width) }),
    ...(version !== undefined && { v: version }),
  });
  return `${BASE}api/v1/codes/${id}/image?${query}`;
};

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

interface ThumbnailProps {
  readonly id: string;
  readonly version?: string | undefined;
}

/**
 * Shows the picture of a saved code, small. Screen readers skip it, since the content stands beside it.
 *
 * @param version As in `imageUrl`.
 */
export const Thumbnail = ({ id, version }: ThumbnailProps) => {
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
