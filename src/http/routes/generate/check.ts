import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Check, createBulkCheck, createCheck } from '../../../generate/quality/check.ts';
import { REMEDIES } from '../../../generate/quality/remedies.ts';
import { serializeChanges, toRepairOptions } from '../../../generate/repair/changes.ts';
import { BulkRequest, SingleRequest } from '../../../generate/request/request.ts';
import type { FreeWork } from '../../../limits/free-work.ts';
import type { PresetLookup } from '../../../presets/lookup.ts';
import { type Auth, principalOf } from '../../auth/auth.ts';
import type { RunCheck } from '../../limits/check-places.ts';
import { createFreeWorkHook } from '../../limits/free-work-hook.ts';
import type { RateLimit } from '../../limits/rate-limit.ts';
import { createPresetHook, PresetHeader } from '../../preset.ts';
import { BODY_ERRORS, errors, Grade, KEY_ERRORS, strict } from '../../schemas/atoms.ts';
import { document } from '../../schemas/openapi.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';
import { RepairHeaders, repairTermsOf } from '../../terms.ts';
import { BODY_LIMIT_BYTES } from './single.ts';

/** What the check routes need. */
export interface CheckRouteParts {
  readonly auth: Auth;
  readonly rateLimit: RateLimit;
  readonly freeWork: FreeWork;
  readonly check: ReturnType<typeof createCheck>;
  readonly bulkCheck: ReturnType<typeof createBulkCheck>;
  readonly runCheck: RunCheck;
  readonly presets: PresetLookup;
  /** The largest body of a bulk call. */
  readonly bodyLimitBytes: number;
}

const CheckHeaders = Type.Object({ ...RepairHeaders.properties, ...PresetHeader });

/** Widths of a printed module: the least for phones, and a common one for printers of 203 dots an inch. */
const MODULES_MM = [0.33, 0.5];

/** What a check answers. */
export const CheckBody = Type.Object(
  {
    grade: Grade,
    parameters: Type.Record(Type.String(), Grade, { description: 'The grade is the lowest of these.' }),
    warnings: Type.Array(
      Type.Object({ name: Type.String(), value: Type.Optional(Type.Number()), advice: Type.String() }),
      { description: 'The parameters below 4, the lowest first.' },
    ),
    symbol: Type.Object({ version: Type.Integer(), level: Type.String(), modules: Type.Integer() }),
    repair: Type.Optional(
      Type.Object(
        {
          grade: Grade,
          changes: Type.Array(Type.String(), { description: 'As in the header `Tessera-Repaired`.' }),
          options: Type.Record(Type.String(), Type.Unknown(), {
            description: 'Fields to set in the request. A `margin` of `null` is left out.',
          }),
        },
        { description: 'With `Tessera-Repair: true`.' },
      ),
    ),
    print: Type.Object({
      minWidthMm: Type.Record(Type.String(), Type.Number(), {
        description: 'Width of the printed picture, quiet zone included, by the width of a module in mm.',
      }),
    }),
  },
  { title: 'Check' },
);

const BulkCheckBody = Type.Object(
  {
    results: Type.Array(
      Type.Union([CheckBody, Type.Object({ error: Type.String() }, { ...strict, title: 'CheckFailure' })]),
    ),
  },
  { title: 'BulkCheck' },
);

const ceil = (value: number): number => Math.ceil(Number((value * 100).toFixed(6))) / 100;

/** Writes a check as its answer. */
export const toCheckBody = ({ quality, version, level, modules, widthModules, repair }: Check) => ({
  grade: quality.grade,
  parameters: quality.parameters,
  warnings: quality.warnings.map((warning) => {
    const { field, advice } = REMEDIES[warning.name];
    return { ...warning, advice: `${field}: ${advice}` };
  }),
  symbol: { version, level, modules },
  ...(repair === undefined
    ? {}
    : {
        repair: {
          grade: repair.grade,
          changes: repair.changes.map((change) => serializeChanges([change])),
          options: { ...toRepairOptions(repair.changes) },
        },
      }),
  print: { minWidthMm: Object.fromEntries(MODULES_MM.map((mm) => [mm, ceil(widthModules * mm)])) },
});

/** Adds the routes that grade what a single or a bulk call would make. */
export const checkRoutes =
  ({
    auth,
    rateLimit,
    freeWork,
    check,
    bulkCheck,
    presets,
    bodyLimitBytes,
    runCheck,
  }: CheckRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Generate', { apiKey: ['generate'] });
    const admit = createFreeWorkHook(freeWork);

    app.post(
      '/api/v1/qr/check',
      {
        bodyLimit: BODY_LIMIT_BYTES,
        config: { name: 'check' },
        onRequest: [auth.require('generate', 'header'), rateLimit.hook, admit],
        preValidation: createPresetHook(presets, 'single'),
        schema: {
          operationId: 'checkCode',
          summary: 'Grade a code without making it; free of charge',
          description: 'Takes what `POST /api/v1/qr` takes.',
          headers: CheckHeaders,
          body: SingleRequest,
          response: {
            200: withHeaders(CheckBody, 'Server-Timing'),
            ...errors(...BODY_ERRORS, ...KEY_ERRORS),
          },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const terms = repairTermsOf(request.headers);
        return toCheckBody(
          await runCheck(reply, accountId, (timings) => check(request.body, accountId, terms, timings)),
        );
      },
    );

    app.post(
      '/api/v1/qr/bulk/check',
      {
        bodyLimit: bodyLimitBytes,
        config: { name: 'bulk-check' },
        onRequest: [auth.require('generate', 'header', 'pro'), rateLimit.hook, admit],
        preValidation: createPresetHook(presets, 'bulk'),
        schema: {
          operationId: 'checkCodes',
          summary: 'Grade up to 100 codes without making them; free of charge',
          description:
            'Takes what `POST /api/v1/qr/bulk` takes; no folder is made. `results` has one entry for each item, in order.',
          headers: CheckHeaders,
          body: BulkRequest,
          response: {
            200: withHeaders(BulkCheckBody, 'Server-Timing'),
            ...errors(...BODY_ERRORS, ...KEY_ERRORS),
          },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const { items } = request.body;
        const terms = repairTermsOf(request.headers);
        const checks = await runCheck(reply, accountId, (timings) =>
          bulkCheck(items, accountId, terms, timings),
        );
        return { results: checks.map((each) => (each.ok ? toCheckBody(each.value) : { error: each.fault })) };
      },
    );
  };
