import Type from 'typebox';
import { lockAccount, type Sql } from '../../../db/client.ts';
import {
  countPrintProfiles,
  deletePrintProfile,
  findPrintProfile,
  getPrintProfile,
  insertPrintProfile,
  listPrintProfiles,
  type PrintProfile,
  updatePrintProfile,
} from '../../../db/tables/accounts/print-profiles.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { FileOptions, toFileSize } from '../../../generate/request/file-options.ts';
import { okOrThrow } from '../../../result.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { assertFound, requireFound } from '../../auth/require-found.ts';
import { checkOf, IfMatchHeaders, Version, versionOf, withVersion } from '../../files/versions.ts';
import { fieldsOf, IdParams, NotModified, strict, Timestamp, Uuid } from '../../schemas/atoms.ts';
import { withHeaders } from '../../schemas/openapi/headers.ts';
import { PresetName, readName, writeAsIs } from '../../schemas/preset.ts';
import { withoutDefaults } from '../../schemas/validation.ts';
import { pagesOf } from '../route.ts';
import type { Need } from '../services.ts';

/** Print profiles of an account. */
const PROFILES_MAX = 100;

const ProfileBody = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    options: FileOptions,
    created_at: Timestamp,
    updated_at: Timestamp,
    etag: Version,
  },
  { title: 'PrintProfile' },
);

const toBody = (profile: PrintProfile) => ({
  ...fieldsOf(profile, 'id', 'name', 'options', 'createdAt', 'updatedAt'),
  etag: versionOf([profile.name, profile.options, profile.updatedAt]),
});

const NewProfile = Type.Object(
  { name: PresetName, options: FileOptions },
  {
    ...strict,
    title: 'NewPrintProfile',
    examples: [{ name: 'Flyer 30 mm', options: { format: 'pdf', width_mm: 30, bleed_mm: 3, color: 'cmyk' } }],
  },
);

const ProfileChange = Type.Object(
  { name: Type.Optional(PresetName), options: Type.Optional(FileOptions) },
  { ...strict, title: 'PrintProfileChange', examples: [{ name: 'Flyer 40 mm' }] },
);

/** Returns options that do not exclude each other. @throws {AppError} 400 for others. */
const readOptions = (options: FileOptions): FileOptions => {
  okOrThrow(toFileSize(options), ({ field, message }) => fieldError(`options.${field}`, message));
  return options;
};

/** @param own The profile that gets the name; `null`: a new one. @throws {AppError} 409 when another one has it. */
const assertFree = async (tx: Sql, accountId: string, name: string, own: string | null): Promise<void> => {
  const found = await findPrintProfile(tx, accountId, { id: null, name });
  if (found === null || found.id === own) return;
  throw new AppError('name_taken', 'name: choose another one, or change the print profile that has it.');
};

const assertRoom = async (tx: Sql, accountId: string): Promise<void> => {
  if ((await countPrintProfiles(tx, accountId)) < PROFILES_MAX) return;
  const details = `An account may have ${PROFILES_MAX} print profiles; delete one that is no longer used.`;
  throw new AppError('limit_reached', details);
};

/** Adds the routes that list, show, make, change and delete print profiles. */
export const printProfileRoutes = ofAccount(
  { tag: 'Presets', name: 'print_profiles' },
  (route, { database: { sql } }: Need<'database'>, app) => {
    app.setSerializerCompiler(writeAsIs);
    const options = { validatorCompiler: withoutDefaults(app) };

    route('GET /print-profiles', {
      operationId: 'listPrintProfiles',
      summary: 'Your print profiles, newest first',
      description: 'How files are made, under names.',
      ...pagesOf(ProfileBody, toBody, ({ accountId }, page) => listPrintProfiles(sql, accountId, page)),
    });

    route('GET /print-profiles/:id', {
      operationId: 'getPrintProfile',
      summary: 'A print profile',
      description: 'Its name and options.',
      params: IdParams,
      answer: withHeaders(ProfileBody, 'ETag'),
      answers: { 304: withHeaders(NotModified, 'ETag') },
      handle: async ({ params: { id } }, { accountId }, reply) =>
        withVersion(reply, toBody(requireFound('print profile', await getPrintProfile(sql, accountId, id)))),
    });

    route('POST /print-profiles', {
      operationId: 'createPrintProfile',
      summary: `Save how files are made under a name; at most ${PROFILES_MAX} per account`,
      description: 'Files of codes, archives and batches take it as `profile`.',
      body: NewProfile,
      answer: ProfileBody,
      status: 201,
      options,
      change: async ({ body }, { accountId }) => {
        const terms = { name: readName(body.name), options: readOptions(body.options) };
        return async ({ sql: tx }) => {
          await lockAccount(tx, accountId);
          await assertRoom(tx, accountId);
          await assertFree(tx, accountId, terms.name, null);
          return toBody(await insertPrintProfile(tx, accountId, terms));
        };
      },
    });

    route('PATCH /print-profiles/:id', {
      operationId: 'updatePrintProfile',
      summary: 'Change a print profile; its options are replaced as a whole',
      description: 'What was made with it stays as it is.',
      params: IdParams,
      headers: IfMatchHeaders,
      body: ProfileChange,
      answer: withHeaders(ProfileBody, 'ETag'),
      fails: [412],
      options,
      change: async (request, { accountId }, reply) => {
        const { id } = request.params;
        const { name: written, options: wanted } = request.body;
        const change = {
          ...(written !== undefined && { name: readName(written) }),
          ...(wanted !== undefined && { options: readOptions(wanted) }),
        };
        const check = checkOf(request);
        return async ({ sql: tx }) => {
          await lockAccount(tx, accountId);
          const old = requireFound('print profile', await getPrintProfile(tx, accountId, id));
          check(toBody(old).etag);
          const terms = { ...old, ...change };
          await assertFree(tx, accountId, terms.name, id);
          return withVersion(reply, toBody(await updatePrintProfile(tx, accountId, id, terms)));
        };
      },
    });

    route('DELETE /print-profiles/:id', {
      operationId: 'deletePrintProfile',
      summary: 'Delete a print profile; what was made with it stays',
      description: 'Calls that name it are then refused. It cannot be restored.',
      params: IdParams,
      headers: IfMatchHeaders,
      fails: [412],
      change: async (request, { accountId }) => {
        const { id } = request.params;
        const check = checkOf(request);
        return async ({ sql: tx }) => {
          await lockAccount(tx, accountId);
          const old = await getPrintProfile(tx, accountId, id);
          if (old !== null) check(toBody(old).etag);
          assertFound('print profile', await deletePrintProfile(tx, accountId, id));
        };
      },
    });
  },
);
