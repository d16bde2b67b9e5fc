import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import type { FileFormat } from '../../../../workers/lists.ts';
import type { ArchiveFiles } from '../../../archive/files.ts';
import { eachChosenCode } from '../../../db/tables/codes/chosen.ts';
import { eachCode } from '../../../db/tables/codes/codes.ts';
import { fieldError } from '../../../errors.ts';
import type { DrawnFrom, Redraw } from '../../../generate/redraw.ts';
import { refuseSketch } from '../../../generate/refusals.ts';
import { sizeParameters, toFileSize } from '../../../generate/request/file-options.ts';
import { isPrintField } from '../../../generate/request/print.ts';
import { CODE_NAMES } from '../../../generate/request/words.ts';
import { okOrThrow } from '../../../result.ts';
import { FORMAT_LIST } from '../../../validation/formats.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { requireFolder } from '../../auth/require-found.ts';
import { sendFileHeaders } from '../../files/attachment.ts';
import { createProfileHook, profileParameter } from '../../files/print-profile.ts';
import { sendStream } from '../../files/streams.ts';
import { describeBytes, IdParams, strict } from '../../schemas/atoms.ts';
import { CHOSEN_BODY_BYTES, ChosenCodes, readTag, TagFilter } from '../../schemas/code.ts';
import { withHeaders } from '../../schemas/openapi/headers.ts';
import type { Need } from '../services.ts';
import { tellUnfinished } from './codes/lists.ts';
import { requireCodeIds } from './codes/many.ts';

/** Codes of an archive that are read in one query. */
const ARCHIVE_PAGE = 200;

/** Which files of each code an archive has. */
const ArchiveQuery = Type.Object(
  {
    format: Type.Optional(
      Type.String({
        default: 'png',
        pattern: FORMAT_LIST,
        description: 'Formats, separated by commas.',
      }),
    ),
    ...sizeParameters,
    ...profileParameter,
  },
  strict,
);

const FolderArchiveQuery = Type.Object(
  {
    ...ArchiveQuery.properties,
    tag: Type.Optional({ ...TagFilter, description: 'Only codes with this tag.' }),
  },
  strict,
);

/**
 * Returns what a query asks for.
 *
 * @throws {AppError} 400 when it names a format twice, or sizes that exclude each other.
 */
const filesOf = ({ format = 'png', profile: _, ...sized }: Static<typeof ArchiveQuery>): ArchiveFiles => {
  const formats = format.split(',') as FileFormat[];
  if (new Set(formats).size < formats.length) {
    throw fieldError('format', 'must name each format once', 'invalid_query');
  }
  return { formats, ...okOrThrow(toFileSize(sized, CODE_NAMES), refuseSketch) };
};

/** The answer of calls for an archive. */
const ZIP = withHeaders(
  describeBytes('The archive.', 'application/zip'),
  'Cache-Control',
  'Content-Disposition',
);

const isSizeField = (field: string): boolean => field === 'width' || isPrintField(field);

/** @throws {AppError} 400 when the first code cannot have the wanted size. Later ones lack that file and say why. */
const refuseImpossible = async (
  redraw: Pick<Redraw, 'sketch'>,
  codes: () => AsyncIterable<DrawnFrom>,
  { formats, widthPx, print }: ArchiveFiles,
): Promise<void> => {
  if (print.size === null && widthPx === undefined) return;
  for await (const code of codes()) {
    for (const format of formats) {
      const sketched = redraw.sketch(code, format, widthPx, print);
      if (!sketched.ok && isSizeField(sketched.fault.field)) throw refuseSketch(sketched.fault);
    }
    return;
  }
};

/** Sends the headers of an archive. @param name Without extension. */
const sendZipHeaders = (reply: FastifyReply, name: string): FastifyReply =>
  sendFileHeaders(reply, 'application/zip', name, 'zip');

/** Adds the route that streams a folder as a ZIP. */
export const archiveRoute = ofAccount(
  { tag: 'Folders', name: 'archive' },
  (route, { database, openArchive, redraw }: Need<'database' | 'openArchive' | 'redraw'>) => {
    const archive = {
      operationId: 'getFolderArchive',
      summary: 'A folder as a ZIP: the files of each code and manifest.csv',
      description:
        'The archive is streamed. The manifest has index, name, content, slug, short_url, file, sha256, grade, warnings and error of each code. A file that can no longer be drawn is missing; `error` says why, and `00000-missing-files.csv` lists all such files. With several formats, each has its own folder, and columns are `file_png` and so on. An archive that cannot be completed is truncated.',
      params: IdParams,
      querystring: FolderArchiveQuery,
      answer: withHeaders(
        describeBytes('The archive.', 'application/zip'),
        ...(['Cache-Control', 'Content-Disposition', 'Tessera-Unfinished-Batches'] as const),
      ),
      options: { exposeHeadRoute: false },
    };

    route('GET /folders/:id/archive', {
      ...archive,
      options: { ...archive.options, preValidation: createProfileHook(database.sql) },
      handle: async ({ params: { id }, query }, { accountId }, reply) => {
        const { tag: written, ...wanted } = query;
        const files = filesOf(wanted);
        const tag = written === undefined ? undefined : readTag(written, 'invalid_query');
        const folder = await requireFolder(database.sql, accountId, id);
        await tellUnfinished(database.sql, reply, accountId, folder.id);
        const codes = () => eachCode(database.sql, accountId, id, ARCHIVE_PAGE, tag);
        await refuseImpossible(redraw, codes, files);
        const head = () => void sendZipHeaders(reply, folder.name);
        return sendStream(reply, openArchive({ accountId, codes, files }), { kind: 'archives', head });
      },
    });

    route('HEAD /folders/:id/archive', {
      ...archive,
      handle: async ({ params }, { accountId }, reply) =>
        sendZipHeaders(reply, (await requireFolder(database.sql, accountId, params.id)).name).send(),
    });
  },
);

/** Adds the route that streams chosen codes as a ZIP. */
export const codesArchiveRoute = ofAccount(
  { tag: 'Codes', name: 'archive' },
  (route, { database, openArchive, redraw }: Need<'database' | 'openArchive' | 'redraw'>) => {
    route('POST /codes/archive', {
      operationId: 'getCodesArchive',
      isSafe: true,
      summary: 'Codes as a ZIP, like that of a folder',
      description: 'In the order in which the codes were made.',
      querystring: ArchiveQuery,
      body: ChosenCodes,
      answer: ZIP,
      fails: [404],
      options: { bodyLimit: CHOSEN_BODY_BYTES, preValidation: createProfileHook(database.sql) },
      handle: async ({ query, body }, { accountId }, reply) => {
        const files = filesOf(query);
        const ids = await requireCodeIds(database.sql, accountId, body);
        const codes = () => eachChosenCode(database.sql, accountId, ids, ARCHIVE_PAGE);
        await refuseImpossible(redraw, codes, files);
        const head = () => void sendZipHeaders(reply, 'codes');
        return sendStream(reply, openArchive({ accountId, codes, files }), { kind: 'archives', head });
      },
    });
  },
);
