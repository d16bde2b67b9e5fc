import type { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import type { OpenArchive } from '../../../archive/archive.ts';
import type { ArchiveFiles } from '../../../archive/files.ts';
import { eachCode } from '../../../db/tables/codes.ts';
import { fieldError } from '../../../errors.ts';
import { type FileFormat, MEDIA_TYPES } from '../../../generate/file.ts';
import { type DrawnFrom, type Redraw, refuseSketch } from '../../../generate/redraw.ts';
import { isPrintField, printParameters, toPrint } from '../../../generate/request/print.ts';
import { principalOf } from '../../auth/auth.ts';
import { type CostlyParts, ofAccount } from '../../auth/of-account.ts';
import { ownFolder } from '../../auth/owned.ts';
import { attachment } from '../../files/attachment.ts';
import { bytes, errors, IdParams, KEY_ERRORS, strict } from '../../schemas/atoms.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';

/** What the archive route needs. */
export interface ArchiveRouteParts extends CostlyParts {
  readonly openArchive: OpenArchive;
  readonly redraw: Pick<Redraw, 'sketch'>;
}

/** Codes of an archive that are read in one query. */
export const ARCHIVE_PAGE = 200;
/** A connection that is idle for so long is cut, because its archive occupies a place. */
const STALL_TIMEOUT_MS = 90_000;

const FORMATS = Object.keys(MEDIA_TYPES).join('|');

/** Which files of each code an archive has. */
export const ArchiveQuery = Type.Object(
  {
    format: Type.Optional(
      Type.String({
        default: 'png',
        pattern: `^(?:${FORMATS})(?:,(?:${FORMATS}))*$`,
        description: 'Formats, with commas.',
      }),
    ),
    ...printParameters,
  },
  strict,
);

/**
 * Returns what a query asks for.
 *
 * @throws {AppError} 400 when it names a format twice, or sizes that exclude each other.
 */
export const filesOf = ({ format = 'png', ...printed }: Static<typeof ArchiveQuery>): ArchiveFiles => {
  const formats = format.split(',') as FileFormat[];
  if (new Set(formats).size < formats.length) {
    throw fieldError('format', 'must name each format once', 'invalid_query');
  }
  const print = toPrint(printed);
  if (!print.ok) throw refuseSketch(print.fault);
  return { formats, print: print.value };
};

/** @throws {AppError} 400 when the first code cannot have the wanted size. Later ones are then without that file. */
export const refuseImpossible = async (
  redraw: Pick<Redraw, 'sketch'>,
  codes: () => AsyncIterable<DrawnFrom>,
  { formats, print }: ArchiveFiles,
): Promise<void> => {
  if (print.size === null) return;
  for await (const code of codes()) {
    for (const format of formats) {
      const sketched = redraw.sketch(code, format, undefined, print);
      if (!sketched.ok && isPrintField(sketched.fault.field)) throw refuseSketch(sketched.fault);
    }
    return;
  }
};

const sendHeaders = (reply: FastifyReply, name: string): FastifyReply =>
  reply
    .type('application/zip')
    .header('content-disposition', attachment(name, 'zip'))
    .header('cache-control', 'private, no-store');

/** Sends an archive. @param name Without its ending. */
export const sendArchive = (reply: FastifyReply, name: string, archive: Readable): FastifyReply => {
  reply.raw.setTimeout(STALL_TIMEOUT_MS, () => reply.raw.destroy());
  return sendHeaders(reply, name).send(archive);
};

/** Adds the route that streams a folder as a ZIP. */
export const archiveRoute =
  ({ database, freeWork, openArchive, redraw, ...account }: ArchiveRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Folders', account);

    const options = {
      config: { name: 'archive' },
      schema: {
        operationId: 'getFolderArchive',
        summary: 'A folder as a ZIP: the files of each code and manifest.csv',
        description:
          'The archive is made while it is sent. The manifest has index, name, content, slug, short_url, file, sha256, grade and warnings of each code; one that can no longer be drawn has no file. With several formats, files are in folders by format, and columns are `file_png` and so on. An archive that cannot be finished is cut off.',
        params: IdParams,
        querystring: ArchiveQuery,
        response: {
          200: withHeaders(bytes('The archive.', 'application/zip'), 'Cache-Control', 'Content-Disposition'),
          ...errors(400, 404, ...KEY_ERRORS),
        },
      },
      exposeHeadRoute: false,
    };

    app.get('/folders/:id/archive', options, async (request, reply) => {
      const { accountId } = principalOf(request);
      const { id } = request.params;
      const files = filesOf(request.query);
      const folder = await ownFolder(database.sql, accountId, id);
      const codes = () => eachCode(database.sql, accountId, id, ARCHIVE_PAGE);
      await refuseImpossible(redraw, codes, files);
      freeWork.admit(accountId);
      return sendArchive(reply, folder.name, openArchive({ accountId, codes, files }));
    });

    app.head('/folders/:id/archive', options, async (request, reply) => {
      const folder = await ownFolder(database.sql, principalOf(request).accountId, request.params.id);
      return sendHeaders(reply, folder.name).send();
    });
  };
