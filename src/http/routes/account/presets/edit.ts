import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { AppError } from '../../../../errors.ts';
import { PRESETS_MAX } from '../../../../presets/presets.ts';
import { principalOf } from '../../../auth/auth.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { owned } from '../../../auth/owned.ts';
import { BODY_ERRORS, errors, IdParams, KEY_ERRORS } from '../../../schemas/atoms.ts';
import {
  NewPreset,
  PresetBody,
  PresetChange,
  presetNameTaken,
  readPresetName,
  toPresetBody,
  writeAsIs,
} from '../../../schemas/preset.ts';
import { withoutDefaults } from '../../../schemas/validation.ts';
import { BODY_LIMIT_BYTES } from '../../generate/single.ts';
import type { PresetRouteParts } from './presets.ts';

/** Adds the routes that make and change presets. */
export const editPresetRoutes =
  ({ presets, ...account }: PresetRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Presets', account);
    const config = { name: 'presets' };
    app.setSerializerCompiler(writeAsIs);
    const limits = { bodyLimit: BODY_LIMIT_BYTES, validatorCompiler: withoutDefaults(app) };

    app.post(
      '/presets',
      {
        config,
        ...limits,
        schema: {
          operationId: 'createPreset',
          summary: `Save a design under a name; at most ${PRESETS_MAX} an account`,
          description:
            '`options` are fields of `QrRequest` that a call may leave out. A logo by URL is fetched now and kept.',
          body: NewPreset,
          response: { 201: PresetBody, ...errors(409, ...BODY_ERRORS, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { name, options, is_default: isDefault = false } = request.body;
        const terms = { name: readPresetName(name), options, isDefault };
        const made = await presets.create(principalOf(request).accountId, terms);
        if (made.ok) return reply.code(201).send(toPresetBody(made.value));
        if (made.fault === 'taken') throw presetNameTaken();
        throw new AppError(
          'limit_reached',
          `An account may have ${PRESETS_MAX} presets; delete one that is no longer used.`,
        );
      },
    );

    app.patch(
      '/presets/:id',
      {
        config,
        ...limits,
        schema: {
          operationId: 'updatePreset',
          summary: 'Change a preset; its options are replaced as a whole',
          params: IdParams,
          body: PresetChange,
          response: { 200: PresetBody, ...errors(404, 409, ...BODY_ERRORS, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { name, options, is_default: isDefault } = request.body;
        const change = {
          ...(name === undefined ? {} : { name: readPresetName(name) }),
          ...(options === undefined ? {} : { options }),
          ...(isDefault === undefined ? {} : { isDefault }),
        };
        const changed = await presets.change(principalOf(request).accountId, request.params.id, change);
        if (!changed.ok && changed.fault === 'taken') throw presetNameTaken();
        return toPresetBody(owned('preset', changed.ok ? changed.value : null));
      },
    );
  };
