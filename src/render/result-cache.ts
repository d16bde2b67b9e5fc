/**
 * Recently drawn pictures, and pictures that are being drawn: equal requests share one task.
 *
 * A picture depends only on its text, design, logo, format and the renderer's version, so accounts share it.
 * Failures are not kept.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Design, Rendered, RenderTask } from '../../workers/protocol.ts';
import type { Ok } from '../result.ts';
import type { RenderOutcome } from './outcome.ts';

/**
 * The version of the pictures that this renderer draws. It is part of ETags and of cache keys. Change it with every
 * change that gives the same design different bytes.
 */
export const RENDERER_VERSION = '9';

/** Everything that decides a picture, except the renderer. */
interface PictureOf extends Pick<RenderTask, 'text' | 'design' | 'format' | 'print'> {
  /** SHA-256 of the logo, hexadecimal; `null` without a logo. */
  readonly logoSha256: string | null;
}

/** The JSON texts of designs, cached by object identity. */
const designTexts = new WeakMap<Design, string>();

const textOf = (design: Design): string => {
  const known = designTexts.get(design);
  if (known !== undefined) return known;
  const text = JSON.stringify(design);
  designTexts.set(design, text);
  return text;
};

/** Returns a key of 43 characters that is unique to a picture. It changes with the version of the renderer. */
export const pictureKey = ({ text, design, format, print, logoSha256 }: PictureOf): string =>
  // As JSON, broken surrogates of the text stay distinct.
  hash(
    'sha256',
    `${RENDERER_VERSION} ${format} ${logoSha256} ${print === undefined ? '' : JSON.stringify(print)} ${textOf(design)} ${JSON.stringify(text)}`,
    'base64url',
  );

/** A cache of pictures. */
export type ResultCache = ReturnType<typeof createResultCache>;

/** One picture may take this share of the cache; a larger one is not kept. */
const ENTRY_SHARE = 1 / 8;
/** Rough cost of an entry besides its bytes: key, objects, links. */
const ENTRY_OVERHEAD_BYTES = 500;

/** @throws When only one of logo and hash is given: two logos must not share a picture. */
const keyOf = (task: RenderTask, logoSha256: string | null): string => {
  if ((task.logo === null) !== (logoSha256 === null)) throw new Error('a logo and its hash go together');
  return pictureKey({ ...task, logoSha256 });
};

/**
 * Whether a request that waited for another's task should try for itself. A picture that crashed would crash again.
 */
const concernsOnlyItsRequest = (outcome: RenderOutcome): boolean =>
  !outcome.ok && !['unfit', 'crashed', 'hung'].includes(outcome.fault.reason);

/** Creates the cache. @param maxBytes Bound on the bytes of all cached pictures together; above 0. */
export const createResultCache = ({ maxBytes }: { readonly maxBytes: number }) => {
  const kept = new LRUCache<string, Ok<Rendered>>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes * ENTRY_SHARE),
    sizeCalculation: ({ value }) => value.bytes.buffer.byteLength + ENTRY_OVERHEAD_BYTES,
  });
  const beingDrawn = new Map<string, Promise<RenderOutcome>>();
  let hits = 0;
  let shared = 0;
  let misses = 0;

  const draw = async (key: string, render: () => Promise<RenderOutcome>): Promise<RenderOutcome> => {
    misses += 1;
    const drawing = render();
    beingDrawn.set(key, drawing);
    try {
      const outcome = await drawing;
      if (outcome.ok) kept.set(key, outcome);
      return outcome;
    } finally {
      if (beingDrawn.get(key) === drawing) beingDrawn.delete(key);
    }
  };

  return {
    /**
     * Returns the kept picture; `null` when there is none. The bytes are shared, as those of `through`, and
     * remain valid after eviction.
     *
     * @param key The `pictureKey` of the picture.
     */
    find(key: string): Rendered | null {
      const hit = kept.get(key);
      if (hit === undefined) return null;
      hits += 1;
      return hit.value;
    },

    /**
     * Returns the kept picture, or the outcome of `render`, which runs at most once at a time for equal tasks. The
     * bytes are shared: nobody may write to them or transfer them. Rejects when `render` rejects.
     *
     * @param logoHash SHA-256 of the logo's PNG; `null` exactly when the task has no logo.
     */
    async through(
      task: RenderTask,
      logoHash: string | null,
      render: () => Promise<RenderOutcome>,
    ): Promise<RenderOutcome> {
      const key = keyOf(task, logoHash);
      const hit = kept.get(key);
      if (hit !== undefined) {
        hits += 1;
        return hit;
      }
      const drawing = beingDrawn.get(key);
      if (drawing === undefined) return draw(key, render);
      const outcome = await drawing;
      if (concernsOnlyItsRequest(outcome)) return draw(key, render);
      shared += 1;
      return outcome;
    },

    /** `shared` counts requests that were answered by another request's task. */
    stats: () => ({ hits, shared, misses, entries: kept.size, bytes: kept.calculatedSize, maxBytes }),
  };
};
