import { withTimeLimit } from '../../../db/statements.ts';
import {
  changeFolder,
  createFolder,
  deleteFolder,
  hasFolders,
  listFolders,
  lockFolderById,
} from '../../../db/tables/folders.ts';
import { AppError } from '../../../errors.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { requireFolder, requireFound } from '../../auth/require-found.ts';
import { readDomainField } from '../../domain.ts';
import { checkOf, IfMatchHeaders, withVersion } from '../../files/versions.ts';
import {
  IdParams,
  NotModified,
  pageSchema,
  searchQuery,
  toPageBody,
  toPageRequest,
} from '../../schemas/atoms.ts';
import {
  FolderBody,
  FolderChange,
  FolderName,
  folderVersion,
  nameTaken,
  readFolderName,
  toFolderBody,
} from '../../schemas/folder.ts';
import { withHeaders } from '../../schemas/openapi/headers.ts';
import type { Need } from '../services.ts';

/** Names are short, so a search takes this long only in a slow database, or among hundreds of thousands of folders. */
const SEARCH_TIMEOUT_MS = 1000;

/** Beyond this, an account gets folders only with codes that it pays. */
const FOLDERS_MAX = 100_000;

/** Adds the routes that list, search, make, read, change and delete folders. */
export const foldersRoutes = ofAccount(
  { tag: 'Folders', name: 'folders' },
  (route, { database, searches }: Need<'database' | 'searches'>) => {
    const { sql } = database;

    route('GET /folders', {
      operationId: 'listFolders',
      summary: 'Your folders, newest first',
      description: 'Without the folders in the bin. `search` finds any part of a name, ignoring case.',
      querystring: searchQuery('Only folders whose names contain this text, ignoring case.'),
      answer: pageSchema(FolderBody),
      handle: async ({ query }, { accountId }, reply) => {
        const { search = '' } = query;
        const page = toPageRequest(query);
        const find = () =>
          withTimeLimit(sql, SEARCH_TIMEOUT_MS, (tx) => listFolders(tx, accountId, page, search));
        const list = () => listFolders(sql, accountId, page);
        return toPageBody(
          await (search === '' ? list() : searches.run(accountId, reply, find)),
          toFolderBody,
        );
      },
    });

    route('POST /folders', {
      operationId: 'createFolder',
      summary: 'Make a folder',
      description: 'Names are trimmed and unique in an account; a name that is taken is a 409.',
      body: FolderName,
      answer: FolderBody,
      status: 201,
      change: async ({ body }, { accountId }) => {
        const name = readFolderName(body);
        return async ({ sql: tx }) => {
          if (await hasFolders(tx, accountId, FOLDERS_MAX))
            throw new AppError(
              'limit_reached',
              `An account may have ${FOLDERS_MAX} folders, with those in the bin; delete some, which stay there for 30 days, or save codes under a new name.`,
            );
          const folder = await createFolder(tx, accountId, name);
          if (folder === null) throw nameTaken();
          return toFolderBody(folder);
        };
      },
    });

    route('GET /folders/:id', {
      operationId: 'getFolder',
      summary: 'One folder',
      description: 'Its name, its number of codes, and whether its codes are kept however old they become.',
      params: IdParams,
      answer: withHeaders(FolderBody, 'ETag'),
      answers: { 304: withHeaders(NotModified, 'ETag') },
      handle: async ({ params }, { accountId }, reply) =>
        withVersion(reply, toFolderBody(await requireFolder(sql, accountId, params.id))),
    });

    route('PATCH /folders/:id', {
      operationId: 'changeFolder',
      summary: 'Rename a folder, keep its codes forever, or choose the domain of its short links',
      description:
        '`name` must be unique in the account. With `keep` true, retention never moves the codes of this folder to the bin. `domain` is that of short links that are made in it from now on.',
      params: IdParams,
      headers: IfMatchHeaders,
      body: FolderChange,
      answer: withHeaders(FolderBody, 'ETag'),
      fails: [412],
      change: async (request, { accountId }, reply) => {
        const { name, keep, domain } = request.body;
        const change = {
          ...(name === undefined ? {} : { name: readFolderName({ name }) }),
          ...(keep === undefined ? {} : { keep }),
          ...(await readDomainField(sql, accountId, domain)),
        };
        const check = checkOf(request);
        return async ({ sql: tx }) => {
          const folder = await changeFolder(tx, accountId, request.params.id, change, (state) =>
            check(folderVersion(state)),
          );
          if (!folder.ok && folder.fault === 'taken') throw nameTaken();
          return withVersion(reply, toFolderBody(requireFound('folder', folder.ok ? folder.value : null)));
        };
      },
    });

    route('DELETE /folders/:id', {
      operationId: 'deleteFolder',
      isOfMany: true,
      summary: 'Move a folder with its codes to the bin; their short links stop working within a second',
      description: 'It can be restored for 30 days. Units are not refunded.',
      params: IdParams,
      headers: IfMatchHeaders,
      fails: [412],
      change: async (request, { accountId }) => {
        const { id } = request.params;
        const check = checkOf(request);
        return async ({ sql: tx, changes }) => {
          check(folderVersion(requireFound('folder', await lockFolderById(tx, accountId, id))));
          await deleteFolder(tx, accountId, id);
          await changes.announce(tx, { kind: 'links-of', id: accountId });
        };
      },
    });
  },
);
