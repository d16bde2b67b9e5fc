/**
 * Writes answers that have a logo of up to megabytes, in pieces, each in a turn of the event loop of its own: a fast
 * reader would get all of it in one.
 */

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { payerNow, payRest } from '../../execution/payer.ts';
import { type ImageData, lengthOf, toBase64 } from '../../generate/request/options.ts';

/** A longer text is sent in pieces of this length. */
export const PIECE_CHARACTERS = 65_536;

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;

/** Yields the pieces of a text. No character is in two of them. */
export function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = from + PIECE_CHARACTERS;
    const to = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield text.slice(from, to);
    from = to;
  }
}

/** Returns a stream of pieces. The account whose turn it is pays for all of them, and rests before each but the first. */
export const sendPieces = (pieces: Iterable<string>): Readable => {
  const payer = payerNow();
  const write = async function* () {
    let isFirst = true;
    for (const piece of pieces) {
      if (!isFirst) await setImmediate();
      if (!isFirst && payer !== null) {
        await payer.rest();
        payRest(payer);
      }
      isFirst = false;
      yield piece;
    }
  };
  return Readable.from(write());
};

/** As many bytes have so many characters in base64, and no padding. */
const PIECE_BYTES = (PIECE_CHARACTERS / 4) * 3;
/** Where answers have their `image`. */
const HOLDERS = ['design', 'options'] as const;
/** Stands for the logo while the rest is written. Nobody can have put it into a name. */
const PLACE = randomUUID();

/** How long answers in pieces are, besides what stands around their logos. */
const lengths = new WeakMap<object, number>();

/** Returns how many bytes of a logo an answer in pieces keeps in memory until it is sent; 0: it is no such answer. */
export const logoBytesOf = (payload: object): number => lengths.get(payload) ?? 0;

type Holder = { readonly image?: unknown } | undefined;
type Answer = Readonly<Partial<Record<(typeof HOLDERS)[number], Holder>>>;

const isData = (image: unknown): image is ImageData =>
  typeof image === 'object' && image !== null && 'head' in image && 'bytes' in image;

/** Yields the parts of a data URI or of another text, as they stand in JSON. */
function* partsOf(image: ImageData | string): Generator<string> {
  if (typeof image === 'string') {
    for (const piece of piecesOf(image)) yield JSON.stringify(piece).slice(1, -1);
    return;
  }
  const { head, bytes } = image;
  yield head;
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    yield toBase64(bytes.subarray(from, from + PIECE_BYTES));
}

function* joined(before: string, image: ImageData | string, after: string): Generator<string> {
  yield before;
  yield* partsOf(image);
  yield after;
}

/**
 * Returns what `write` makes of an answer, whose `image` may be an `ImageData`. With a large logo it is a stream of pieces,
 * which Fastify sends as well, though its types ask serializers for a text.
 */
export const writeWithLogo = (answer: unknown, write: (answer: unknown) => string): string => {
  const holder = HOLDERS.find((field) => {
    const image = (answer as Answer | null)?.[field]?.image;
    return isData(image) || (typeof image === 'string' && image.length > PIECE_CHARACTERS);
  });
  if (holder === undefined) return write(answer);
  const { image, ...rest } = (answer as Answer)[holder] as { readonly image: ImageData | string };
  const writeAs = (text: string) => write({ ...(answer as Answer), [holder]: { ...rest, image: text } });
  const characters = isData(image) ? lengthOf(image) : image.length;
  if (characters <= PIECE_CHARACTERS) return writeAs([...partsOf(image)].join(''));
  const [before, after] = writeAs(PLACE).split(PLACE);
  const pieces = sendPieces(joined(before!, image, after!));
  lengths.set(pieces, characters);
  return pieces as unknown as string;
};
