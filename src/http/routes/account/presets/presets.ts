import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Presets } from '../../../../presets/presets.ts';
import { principalOf } from '../../../auth/auth.ts';
import { type AccountParts, ofAccount } from '../../../auth/of-account.ts';
import { mustBeOwned, owned } from '../../../auth/owned.ts';
import {
  errors,
  IdParams,
  KEY_ERRORS,
  NoContent,
  PageQuery,
  pageSchema,
  toPageBody,
  toPageRequest,
} from '../../../schemas/atoms.ts';
import { PresetBody, toPresetBody, writeAsIs } from '../../../schemas/preset.ts';

/** What the routes of presets need. */
export interface PresetRouteParts extends AccountParts {
  readonly presets: Presets;
}

/** Adds the routes that list, show and delete presets. */
export const presetRoutes =
  ({ presets, ...account }: PresetRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Presets', account);
    const config = { name: 'presets' };
    app.setSerializerCompiler(writeAsIs);

    app.get(
      '/presets',
      {
        config,
        schema: {
          operationId: 'listPresets',
          summary: 'Your presets, newest first',
          description: 'Here `options` have no `image`; the call for one preset has it.',
          querystring: PageQuery,
          response: { 200: pageSchema(PresetBody), ...errors(400, ...KEY_ERRORS) },
        },
      },
      async (request) =>
        toPageBody(
          await presets.list(principalOf(request).accountId, toPageRequest(request.query)),
          toPresetBody,
        ),
    );

    app.get(
      '/presets/:id',
      {
        config,
        schema: {
          operationId: 'getPreset',
          summary: 'A preset with its logo',
          params: IdParams,
          response: { 200: PresetBody, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) =>
        toPresetBody(owned('preset', await presets.get(principalOf(request).accountId, request.params.id))),
    );

    app.delete(
      '/presets/:id',
      {
        config,
        schema: {
          operationId: 'deletePreset',
          summary: 'Delete a preset; codes that were made by it stay as they are',
          params: IdParams,
          response: { 204: NoContent, ...errors(400, 404, 415, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        mustBeOwned('preset', await presets.delete(accountId, request.params.id));
        return reply.code(204).send(null);
      },
    );
  };
