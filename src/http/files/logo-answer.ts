/** Writes answers that have a logo of up to megabytes. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Payer, payerNow, payRest } from '../../payer/payer.ts';

/** Longer logos are sent in pieces of this length, which nobody copies before they are written. */
const PIECE_CHARACTERS = 65_536;
/** Anything but printable ASCII that JSON writes as it is: a data URI has nothing of it. */
const NEEDS_CARE = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/;
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

function* piecesOf(payer: Payer | null, before: string, image: string, after: string): Generator<string> {
  yield before;
  for (let from = 0; from < image.length; from += PIECE_CHARACTERS) {
    if (payer !== null) payRest(payer);
    yield image.slice(from, from + PIECE_CHARACTERS);
  }
  yield after;
}

/**
 * Returns what `write` makes of an answer. With a large logo it is a stream of pieces, which Fastify sends as well, though
 * its types ask serializers for a text.
 */
export const writeWithLogo = (answer: unknown, write: (answer: unknown) => string): string => {
  const holder = HOLDERS.find((field) => {
    const image = (answer as Answer | null)?.[field]?.image;
    return typeof image === 'string' && image.length > PIECE_CHARACTERS && !NEEDS_CARE.test(image);
  });
  if (holder === undefined) return write(answer);
  const { image, ...rest } = (answer as Answer)[holder] as { readonly image: string };
  const [before, after] = write({ ...(answer as Answer), [holder]: { ...rest, image: PLACE } }).split(PLACE);
  const pieces = Readable.from(piecesOf(payerNow(), before!, image, after!));
  lengths.set(pieces, image.length);
  return pieces as unknown as string;
};
