/** What a saved code is called, where it leads, and its picture. */
import type { JSX } from 'preact';
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

/** Returns what changes whenever the picture of a code does: with its design, or with the slug that it encodes. */
export const pictureVersion = ({ etag, slug }: Pick<Code, 'etag' | 'slug'>): string =>
  `${etag}${slug ?? ''}`.slice(0, 64);

const SIZE_PX = 200;
/**
 * Pause between two pictures. By default an account may send 50 requests a second, and a page of codes asks for
 * more. The browser must not put them off itself, or scrolling would ask for many at once.
 */
const SPACING_MS = 40;
const RETRY_MS = 2000;
const MAX_TRIES = 3;

/** Pictures that wait for their turn. Those that are scrolled away leave, so that others need not wait for them. */
const waiting = new Set<() => void>();
let isTurn = true;

const giveTurn = (): void => {
  const [next] = waiting;
  isTurn = next === undefined;
  if (next === undefined) return;
  waiting.delete(next);
  setTimeout(giveTurn, SPACING_MS);
  next();
};

/** Calls `show` when a picture may be asked for. Returns what leaves the queue before that. */
const queue = (show: () => void): (() => void) => {
  waiting.add(show);
  if (isTurn) giveTurn();
  return () => waiting.delete(show);
};

/** Returns the address of a small picture. @param version As in `imageUrl`. */
export const thumbnailUrl = (id: string, version?: string): string => imageUrl(id, 'png', SIZE_PX, version);

interface ThumbnailProps {
  /** The address of its picture. */
  readonly src: string;
  readonly style?: JSX.CSSProperties;
  /** Gets the width of the picture once it is there. */
  readonly onWidth?: (widthPx: number) => void;
}

/** Shows the picture of a saved code, small. Screen readers skip it, since the content stands beside it. */
export const Thumbnail = ({ src, style = {}, onWidth }: ThumbnailProps) => {
  const [tries, setTries] = useState(0);
  const [waitMs, setWaitMs] = useState<number | null>(0);
  useEffect(() => {
    if (waitMs === null) return;
    const show = () => {
      setTries((count) => count + 1);
      setWaitMs(null);
    };
    let leave = () => {};
    const timer = setTimeout(() => {
      leave = queue(show);
    }, waitMs);
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [waitMs]);
  if (tries === 0) return null;
  return (
    <img
      key={tries}
      src={src}
      alt=""
      width={SIZE_PX}
      height={SIZE_PX}
      style={style}
      onLoad={({ currentTarget }) => onWidth?.(currentTarget.naturalWidth)}
      onError={() => setWaitMs(tries < MAX_TRIES ? RETRY_MS : null)}
    />
  );
};
