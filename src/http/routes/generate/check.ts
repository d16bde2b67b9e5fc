import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { PARAMETERS } from '../../../../workers/lists.ts';
import type { Check } from '../../../generate/quality/check.ts';
import { serializeChanges, toRepairOptions } from '../../../generate/quality/repair.ts';
import { BulkRequest, SingleRequest } from '../../../generate/request/request.ts';
import { OF_KEYS } from '../../auth/of-account.ts';
import { unclaimedCallerOf } from '../../caller.ts';
import { DomainHeader } from '../../domain.ts';
import { RepairHeaders, repairTermsOf } from '../../grade-headers.ts';
import type { RunCheck } from '../../limits/places.ts';
import { createPresetHook, PresetHeader } from '../../preset.ts';
import { Grade, strict } from '../../schemas/atoms.ts';
import { withHeaders } from '../../schemas/openapi/headers.ts';
import { describeRoutes } from '../../schemas/openapi/openapi.ts';
import { routesOf } from '../route.ts';
import type { Need } from '../services.ts';
import { BODY_LIMIT_BYTES } from './single.ts';

/** What the check routes need. */
export type CheckRouteParts = Need<'bulkCheck' | 'check' | 'presets'> & {
  readonly runCheck: RunCheck;
  /** The largest body of a bulk call. */
  readonly bodyLimitBytes: number;
};

const CheckHeaders = Type.Object({ ...RepairHeaders.properties, ...PresetHeader });
const BulkCheckHeaders = Type.Object({ ...CheckHeaders.properties, ...DomainHeader });

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
            description: 'Fields to set in the request. If `margin` is `null`, omit it.',
          }),
        },
        { description: 'With `Tessera-Repair: true`.' },
      ),
    ),
    print: Type.Object({
      min_width_mm: Type.Record(Type.String(), Type.Number(), {
        description: 'Width of the printed picture, including the quiet zone, by module width in mm.',
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
    const { field, advice } = PARAMETERS[warning.name];
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
  print: { min_width_mm: Object.fromEntries(MODULES_MM.map((mm) => [mm, ceil(widthModules * mm)])) },
});

/** Adds the routes that grade what a single or a bulk call would make. */
export const checkRoutes =
  (parts: CheckRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { auth, rateLimit, check, bulkCheck, presets, bodyLimitBytes, runCheck } = parts;
    describeRoutes(app, 'Generate', { apiKey: ['generate'] });

    routesOf(
      app,
      'check',
      OF_KEYS,
    )('POST /api/v1/qr/check', {
      operationId: 'checkCode',
      isSafe: true,
      summary: 'Grade a code without making it; free of charge',
      description: 'Takes the same request as `POST /api/v1/qr`.',
      headers: CheckHeaders,
      body: SingleRequest,
      answer: withHeaders(CheckBody, 'Server-Timing'),
      options: {
        bodyLimit: BODY_LIMIT_BYTES,
        onRequest: [auth.require('generate', 'header', { isForSandbox: true }), rateLimit.hook],
        preValidation: createPresetHook(presets, 'single'),
      },
      handle: async ({ headers, body }, { accountId }, reply) => {
        const terms = repairTermsOf(headers);
        return toCheckBody(
          await runCheck(reply, accountId, (timings) => check(body, accountId, terms, timings)),
        );
      },
    });

    routesOf(
      app,
      'bulk-check',
      OF_KEYS,
    )('POST /api/v1/qr/bulk/check', {
      operationId: 'checkCodes',
      isSafe: true,
      summary: 'Grade up to 100 codes without making them; free of charge',
      description:
        'Takes the same request as `POST /api/v1/qr/bulk`; no folder is made. `results` has one entry for each item, in order.',
      headers: BulkCheckHeaders,
      body: BulkRequest,
      answer: withHeaders(BulkCheckBody, 'Server-Timing'),
      options: {
        bodyLimit: bodyLimitBytes,
        onRequest: [auth.require('generate', 'header', { plan: 'pro', isForSandbox: true }), rateLimit.hook],
        preValidation: createPresetHook(presets, 'bulk'),
      },
      handle: async (request, principal, reply) => {
        const terms = repairTermsOf(request.headers);
        const caller = unclaimedCallerOf(request, principal);
        const checks = await runCheck(reply, caller.accountId, (timings) =>
          bulkCheck(request.body, caller, terms, timings),
        );
        return { results: checks.map((each) => (each.ok ? toCheckBody(each.value) : { error: each.fault })) };
      },
    });
  };
