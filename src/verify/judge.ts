/** Judges what the readers saw of one picture. */

import Type, { type Static } from 'typebox';
import { CONDITIONS, type Condition } from '../reading/conditions.ts';
import { READERS, type Reader, type Reading, type Sight } from '../reading/read.ts';
import { orNull } from '../stored-json.ts';

/**
 * `passed`: every reader reads the right text under every condition. `weak`: every reader reads it in the sharp
 * picture, and some condition defeats one. `failed`: a reader does not read the sharp picture, or one reads another
 * text. `missing`: there is no picture.
 */
export const RESULTS = ['passed', 'weak', 'failed', 'missing'] as const;
export type ReadingResult = (typeof RESULTS)[number];

const TextOrNull = orNull(Type.String());
const Conditions = Type.Immutable(Type.Array(Type.Enum([...CONDITIONS])));

/** The schema of what was read of one code. */
export const Judgement = Type.Object({
  result: Type.Enum([...RESULTS]),
  /** The text as read; `null`: no reader found a code. */
  text: TextOrNull,
  /** What should have been read; absent when it was. */
  expected: Type.Optional(Type.String()),
  /** Under which conditions each reader read the right text. */
  read: Type.Object({ zxing: Conditions, zbar: Conditions }),
  /** What was read instead of the right text. */
  misread: Type.Optional(
    Type.Immutable(
      Type.Array(
        Type.Object({
          reader: Type.Enum([...READERS]),
          condition: Type.Enum([...CONDITIONS]),
          text: TextOrNull,
        }),
      ),
    ),
  ),
  /** Why there is no picture, or none that can be read. */
  fault: Type.Optional(Type.String()),
});
/** What was read of one code. */
export type Judgement = Readonly<Static<typeof Judgement>>;

const NOTHING: Judgement['read'] = { zxing: [], zbar: [] };

/** Returns the judgement of a code that has no picture. */
export const judgeMissing = (expected: string, fault: string): Judgement => ({
  result: 'missing',
  text: null,
  expected,
  read: NOTHING,
  fault,
});

/** Judges a reading. @param right The texts that are right, at least one; the first is named when none was read. */
export const judge = ({ sights, fault }: Reading, right: readonly string[]): Judgement => {
  const expected = right[0]!;
  if (fault !== null) return { ...judgeMissing(expected, fault), result: 'failed' };
  const isRight = ({ text }: Sight): boolean => text !== null && right.includes(text);
  const rightOnes = sights.filter(isRight);
  const misread = sights.filter((sight) => sight.text !== null && !isRight(sight));
  const read = Object.fromEntries(
    READERS.map((reader) => [
      reader,
      rightOnes.filter((sight) => sight.reader === reader).map(({ condition }) => condition),
    ]),
  ) as Record<Reader, Condition[]>;
  const text = (rightOnes[0] ?? misread[0])?.text ?? null;
  const readSharp = READERS.every((reader) => read[reader].includes('sharp'));
  const result =
    misread.length > 0 || !readSharp ? 'failed' : rightOnes.length < sights.length ? 'weak' : 'passed';
  return {
    result,
    text,
    ...(rightOnes.length > 0 ? {} : { expected }),
    read,
    ...(misread.length > 0 ? { misread } : {}),
  };
};

/** Returns in words what went wrong; `null` for a code that passed. */
export const explain = ({ result, read, misread = [], fault }: Judgement): string | null => {
  if (result === 'passed') return null;
  if (fault !== undefined) return fault;
  if (misread[0] !== undefined) return `${misread[0].reader} reads another text`;
  const unread = READERS.filter((reader) => !read[reader].includes('sharp'));
  if (unread.length > 0) return `not read by ${unread.join(' and ')}`;
  const weak = READERS.flatMap((reader) =>
    (['blurred', 'small'] as const)
      .filter((condition) => !read[reader].includes(condition))
      .map((condition) => `by ${reader} when ${condition}`),
  );
  return `not read ${weak.join(', ')}`;
};
