import type { Static } from 'typebox';
import type { Principal } from '../../../db/tables/accounts/keys.ts';
import { AppError } from '../../../errors.ts';
import { PRESETS_MAX } from '../../../presets/presets.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { assertFound, requireFound } from '../../auth/require-found.ts';
import { readDomainField } from '../../domain.ts';
import { checkOf, IfMatchHeaders, withVersion } from '../../files/versions.ts';
import { IdParams, NotModified } from '../../schemas/atoms.ts';
import { withHeaders } from '../../schemas/openapi/headers.ts';
import {
  NewPreset,
  PresetBody,
  PresetChange,
  presetNameTaken,
  presetVersion,
  readName,
  toPresetBody,
  writeAsIs,
} from '../../schemas/preset.ts';
import { withoutDefaults } from '../../schemas/validation.ts';
import { BODY_LIMIT_BYTES } from '../generate/single.ts';
import { pagesOf } from '../route.ts';
import type { Need } from '../services.ts';

const limitReached = (): AppError =>
  new AppError(
    'limit_reached',
    `An account may have ${PRESETS_MAX} presets; delete one that is no longer used.`,
  );

const readChange = ({ name, options, is_default: isDefault }: Static<typeof PresetChange>) => ({
  ...(name === undefined ? {} : { name: readName(name) }),
  ...(options === undefined ? {} : { options }),
  ...(isDefault === undefined ? {} : { isDefault }),
});

/** Adds the routes that list, show, make, change and delete presets. */
export const presetRoutes = ofAccount(
  { tag: 'Presets', name: 'presets' },
  (route, { database: { sql }, presets }: Need<'database' | 'presets'>, app) => {
    app.setSerializerCompiler(writeAsIs);
    const read = async (id: string, { accountId }: Principal) =>
      toPresetBody(requireFound('preset', await presets.get(accountId, id)));
    const options = { bodyLimit: BODY_LIMIT_BYTES, validatorCompiler: withoutDefaults(app) };

    route('GET /presets', {
      operationId: 'listPresets',
      summary: 'Your presets, newest first',
      description: '`options` have no `image` here; only the call for one preset returns it.',
      ...pagesOf(PresetBody, toPresetBody, ({ accountId }, page) => presets.list(accountId, page)),
    });

    route('GET /presets/:id', {
      operationId: 'getPreset',
      summary: 'A preset with its logo',
      description: 'The list of presets leaves the logo out.',
      params: IdParams,
      answer: withHeaders(PresetBody, 'ETag'),
      answers: { 304: withHeaders(NotModified, 'ETag') },
      handle: async ({ params: { id } }, caller, reply) => withVersion(reply, await read(id, caller)),
    });

    route('POST /presets', {
      operationId: 'createPreset',
      summary: `Save a design under a name; at most ${PRESETS_MAX} per account`,
      description:
        '`options` are optional fields of `QrRequest`. A logo given by URL is fetched now and stored.',
      body: NewPreset,
      answer: PresetBody,
      status: 201,
      options,
      change: async (request, { accountId }) => {
        const { name, options, is_default: isDefault = false, domain } = request.body;
        const { domainId = null } = await readDomainField(sql, accountId, domain);
        const create = await presets.prepare(accountId, {
          ...{ name: readName(name), options, isDefault, domainId },
        });
        return async ({ sql: tx }) => {
          const made = await create(tx);
          if (made.ok) return toPresetBody(made.value);
          if (made.fault === 'taken') throw presetNameTaken();
          throw limitReached();
        };
      },
      readAgain: read,
    });

    route('PATCH /presets/:id', {
      operationId: 'updatePreset',
      summary: 'Change a preset; its options are replaced as a whole',
      description:
        'Fields that are left out stay as they are; `options` replaces all options. Every gateway uses the change within a second, for new pictures only.',
      params: IdParams,
      headers: IfMatchHeaders,
      body: PresetChange,
      answer: withHeaders(PresetBody, 'ETag'),
      fails: [412],
      options,
      change: async (request, { accountId }, reply) => {
        const change = {
          ...readChange(request.body),
          ...(await readDomainField(sql, accountId, request.body.domain)),
        };
        const check = checkOf(request);
        const update = await presets.prepareChange(accountId, request.params.id, change, (preset) =>
          check(presetVersion(preset)),
        );
        return async ({ sql: tx }) => {
          const changed = await update(tx);
          if (!changed.ok && changed.fault === 'taken') throw presetNameTaken();
          return withVersion(reply, toPresetBody(requireFound('preset', changed.ok ? changed.value : null)));
        };
      },
      readAgain: async (id, caller, reply) => withVersion(reply, await read(id, caller)),
    });

    route('DELETE /presets/:id', {
      operationId: 'deletePreset',
      summary: 'Delete a preset; codes made with it do not change',
      description: 'Calls that name it are then refused. It cannot be restored.',
      params: IdParams,
      headers: IfMatchHeaders,
      fails: [412],
      change: async (request, { accountId }) => {
        const check = checkOf(request);
        return async ({ sql: tx }) => {
          const isDeleted = await presets.delete(tx, accountId, request.params.id, (preset) =>
            check(presetVersion(preset)),
          );
          assertFound('preset', isDeleted);
        };
      },
    });
  },
);
