import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Type, { type Static } from 'typebox';
import type { BulkResult } from '../../generate/bulk/answer.ts';
import { orNull } from '../../stored-json.ts';
import { toDataUrl } from '../files/attachment.ts';
import { Grade } from '../schemas/atoms.ts';

/** Writing more bytes of pictures than these at once would delay other requests. */
export const LARGE_BYTES = 128 * 1024;
/** About as many characters are written in one turn of the event loop. */
const TURN_CHARACTERS = 65_536;

/** The request header that asks for more of each item than the specification names. */
export const ResultsHeader = {
  'tessera-results': Type.Optional(
    Type.Literal('full', {
      description:
        'Each result also has `id`, `short_url`, `name`, `grade` and `external_id`, each null if there is none.',
    }),
  ),
};

/** An item of a bulk call's answer. */
export const BulkResultBody = Type.Object(
  {
    success: Type.Boolean(),
    data: Type.Optional(Type.String({ description: 'PNG as a data URL.' })),
    slug: Type.Optional(Type.String({ description: 'The slug of a dynamic item.' })),
    repaired: Type.Optional(Type.String({ description: 'As in the header `Tessera-Repaired`.' })),
    error: Type.Optional(Type.String()),
    // With `Tessera-Results: full`.
    id: Type.Optional(orNull(Type.String({ format: 'uuid', description: 'The id of the saved code.' }))),
    short_url: Type.Optional(orNull(Type.String({ description: 'The URL that a dynamic item encodes.' }))),
    name: Type.Optional(orNull(Type.String())),
    grade: Type.Optional(orNull(Grade)),
    external_id: Type.Optional(orNull(Type.String())),
  },
  { title: 'BulkResult' },
);

/** Writes an item of a bulk call's answer. */
export type WriteResult = (result: BulkResult) => Static<typeof BulkResultBody>;

/** Writes an item as the specification has it, with the picture as a data URL. */
const toResult = (result: BulkResult) => {
  if (!result.success) return result;
  const { png, slug, repaired } = result;
  return {
    success: true,
    data: toDataUrl(png),
    ...(slug === null ? {} : { slug }),
    ...(repaired === '' ? {} : { repaired }),
  };
};

/** Items of bulk calls have neither names nor ids of their own. */
const NONE = { id: null, short_url: null, name: null, grade: null, external_id: null };

const toFullResult = (result: BulkResult) => {
  if (!result.success) return { ...result, ...NONE };
  const { id, shortUrl, grade } = result;
  return { ...toResult(result), ...NONE, id, grade, short_url: shortUrl };
};

/** Returns the function that writes the items of a call. */
export const createResultWriter = ({
  'tessera-results': wanted,
}: {
  readonly 'tessera-results'?: 'full';
}): WriteResult => (wanted === 'full' ? toFullResult : toResult);

/** Returns the bytes of the pictures of a bulk call. */
export const bytesOf = (results: readonly BulkResult[]): number =>
  results.reduce((bytes, result) => bytes + (result.success ? result.png.byteLength : 0), 0);

/** Streams the JSON of a bulk call's answer, some pictures in each turn of the event loop. */
export const streamBulk = (
  results: readonly BulkResult[],
  writeResult: WriteResult,
  meta: object,
): Readable => {
  const write = async function* () {
    let text = '{"success":true,"results":[';
    for (const [i, result] of results.entries()) {
      text += `${i === 0 ? '' : ','}${JSON.stringify(writeResult(result))}`;
      if (text.length < TURN_CHARACTERS) continue;
      yield text;
      text = '';
      await nextTurn();
    }
    yield `${text}],"meta":${JSON.stringify(meta)}}`;
  };
  return Readable.from(write());
};
