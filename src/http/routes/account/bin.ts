import Type from 'typebox';
import { BIN_DAYS, type BinnedThing, listBin, restoreCode, restoreFolder } from '../../../db/tables/bin.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { requireFound } from '../../auth/require-found.ts';
import { fieldsOf, IdParams, Timestamp, Uuid } from '../../schemas/atoms.ts';
import { CodeBody, withScans } from '../../schemas/code.ts';
import { FolderBody, nameTaken, toFolderBody } from '../../schemas/folder.ts';
import { pagesOf } from '../route.ts';
import type { Need } from '../services.ts';

const ThingBody = Type.Object(
  {
    kind: Type.Enum(['folder', 'code']),
    id: Uuid,
    name: Type.String({ description: 'For a code without a name, its content.' }),
    code_count: Type.Optional(
      Type.Integer({ description: 'Only for a folder: the number of codes restored with it.' }),
    ),
    deleted_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: 'BinItem' },
);

const toThingBody = (thing: BinnedThing) => ({
  ...fieldsOf(thing, 'kind', 'id', 'name', 'deletedAt', 'expiresAt'),
  ...(thing.codeCount === null ? {} : { code_count: thing.codeCount }),
});

/** Adds the routes that list the bin and restore from it. */
export const binRoutes = ofAccount(
  { tag: 'Bin', name: 'bin' },
  (route, { database, linkRules }: Need<'database' | 'linkRules'>) => {
    route('GET /bin', {
      operationId: 'listBin',
      summary: 'Deleted folders and codes that you can restore, latest first',
      description: `Deleted things are kept for ${BIN_DAYS} days. Codes that were deleted with their folder are restored with it and not listed.`,
      ...pagesOf(ThingBody, toThingBody, ({ accountId }, page) => listBin(database.sql, accountId, page)),
    });

    route('POST /folders/:id/restore', {
      operationId: 'restoreFolder',
      isOfMany: true,
      summary: 'Restore a folder with its codes; their short links work again within a second',
      description:
        'If its name is now taken, it becomes `<name> (restored)` or `<name> (restored 2)` and so on. A folder outside the bin is left unchanged.',
      params: IdParams,
      answer: FolderBody,
      fails: [413],
      change:
        async ({ params }, { accountId }) =>
        async (changed) => {
          const folder = await restoreFolder(changed, accountId, params.id);
          if (!folder.ok && folder.fault === 'taken') throw nameTaken();
          return toFolderBody(requireFound('folder', folder.ok ? folder.value : null));
        },
    });

    route('POST /codes/:id/restore', {
      operationId: 'restoreCode',
      summary: 'Restore a code; its short link works again within a second',
      description:
        'If its folder is in the bin, the code moves to your folder of the same name, which is made if there is none. A code outside the bin is left unchanged.',
      params: IdParams,
      answer: CodeBody,
      fails: [413],
      change:
        async ({ params }, { accountId }) =>
        async (changed) => {
          const code = requireFound('code', await restoreCode(changed, accountId, params.id));
          const [body] = await withScans(changed.sql, [code], linkRules.shortUrl);
          return body!;
        },
    });
  },
);
