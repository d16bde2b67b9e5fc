import Type from 'typebox';
import { AppError } from '../../../errors.ts';
import { PRESETS_MAX } from '../../../presets/presets.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { assertFound, requireFound } from '../../auth/require-found.ts';
import { checkOf, IfMatchHeaders, withVersion } from '../../files/versions.ts';
import { makePerKey, OnceHeader } from '../../idempotency.ts';
import { IdParams, NotModified } from '../../schemas/atoms.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';
import {
  NewPreset,
  PresetBody,
  PresetChange,
  presetNameTaken,
  presetVersion,
  readPresetName,
  toPresetBody,
  writeAsIs,
} from '../../schemas/preset.ts';
import { withoutDefaults } from '../../schemas/validation.ts';
import { BODY_LIMIT_BYTES } from '../generate/single.ts';
import { pagesOf } from '../route.ts';
import type { Need } from '../services.ts';

/** Adds the routes that list, show, make, change and delete presets. */
export const presetRoutes = ofAccount(
  { tag: 'Presets', name: 'presets' },
  (route, { database, presets }: Need<'database' | 'presets'>, app) => {
    app.setSerializerCompiler(writeAsIs);
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
      params: IdParams,
      answer: withHeaders(PresetBody, 'ETag'),
      answers: { 304: withHeaders(NotModified, 'ETag') },
      handle: async (request, { accountId }, reply) => {
        const preset = requireFound('preset', await presets.get(accountId, request.params.id));
        return withVersion(reply, toPresetBody(preset));
      },
    });

    route('POST /presets', {
      operationId: 'createPreset',
      summary: `Save a design under a name; at most ${PRESETS_MAX} per account`,
      description:
        '`options` are optional fields of `QrRequest`. A logo given by URL is fetched now and stored.',
      headers: Type.Object(OnceHeader),
      body: NewPreset,
      answer: withHeaders(PresetBody, 'Idempotent-Replayed'),
      status: 201,
      fails: [409, 422],
      options,
      handle: (request, { accountId }, reply) =>
        makePerKey(database.sql, request, reply, async () => {
          const { name, options, is_default: isDefault = false } = request.body;
          const create = await presets.prepare(accountId, { name: readPresetName(name), options, isDefault });
          return async (tx) => {
            const made = await create(tx);
            if (made.ok) return toPresetBody(made.value);
            if (made.fault === 'taken') throw presetNameTaken();
            throw new AppError(
              'limit_reached',
              `An account may have ${PRESETS_MAX} presets; delete one that is no longer used.`,
            );
          };
        }),
    });

    route('PATCH /presets/:id', {
      operationId: 'updatePreset',
      summary: 'Change a preset; its options are replaced as a whole',
      params: IdParams,
      headers: IfMatchHeaders,
      body: PresetChange,
      answer: withHeaders(PresetBody, 'ETag'),
      fails: [409, 412],
      options,
      handle: async (request, { accountId }, reply) => {
        const { name, options, is_default: isDefault } = request.body;
        const change = {
          ...(name === undefined ? {} : { name: readPresetName(name) }),
          ...(options === undefined ? {} : { options }),
          ...(isDefault === undefined ? {} : { isDefault }),
        };
        const check = checkOf(request);
        const changed = await presets.change(accountId, request.params.id, change, (preset) =>
          check(presetVersion(preset)),
        );
        if (!changed.ok && changed.fault === 'taken') throw presetNameTaken();
        return withVersion(reply, toPresetBody(requireFound('preset', changed.ok ? changed.value : null)));
      },
    });

    route('DELETE /presets/:id', {
      operationId: 'deletePreset',
      summary: 'Delete a preset; codes made with it do not change',
      params: IdParams,
      headers: IfMatchHeaders,
      fails: [412],
      handle: async (request, { accountId }) => {
        const check = checkOf(request);
        const isDeleted = await presets.delete(accountId, request.params.id, (preset) =>
          check(presetVersion(preset)),
        );
        assertFound('preset', isDeleted);
      },
    });
  },
);
