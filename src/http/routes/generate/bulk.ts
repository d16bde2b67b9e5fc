import Type from 'typebox';
import { BulkRequest } from '../../../generate/request/request.ts';
import { sendBulkOutcome } from '../../answer-headers.ts';
import { ofAccount } from '../../auth/of-account.ts';
import {
  BulkResultBody,
  bytesOf,
  createResultWriter,
  LARGE_BYTES,
  ResultsHeader,
  streamBulk,
} from '../../bodies/bulk-answer.ts';
import { useCasesFor } from '../../caller.ts';
import { DomainHeader } from '../../domain.ts';
import { repairTermsOf } from '../../grade-headers.ts';
import { CallHeaders, callerOf } from '../../idempotency.ts';
import { createPresetHook } from '../../preset.ts';
import { Uuid } from '../../schemas/atoms.ts';
import { GRADED, withHeaders } from '../../schemas/openapi/headers.ts';
import type { Need } from '../services.ts';

const BulkHeaders = Type.Object({ ...CallHeaders.properties, ...DomainHeader, ...ResultsHeader });

const BulkResponse = Type.Object(
  {
    success: Type.Literal(true),
    results: Type.Array(BulkResultBody),
    meta: Type.Object({
      total: Type.Integer(),
      successful: Type.Integer(),
      usage_count: Type.Integer(),
      remaining: Type.Integer(),
      folder_id: Uuid,
    }),
  },
  { title: 'BulkResponse' },
);

/** Adds the route that makes and saves up to 100 codes. */
export const bulkRoute = ofAccount(
  { tag: 'Generate', name: 'bulk', scope: 'generate', plan: 'pro', isForSandbox: true },
  (
    route,
    {
      bulk,
      presets,
      rehearsal,
      sandbox,
      bodyLimitBytes,
    }: Need<'bulk' | 'presets' | 'rehearsal' | 'sandbox'> & { readonly bodyLimitBytes: number },
  ) => {
    route('POST /api/v1/qr/bulk', {
      operationId: 'createCodes',
      isPaid: true,
      summary: 'Make up to 100 codes and save them into a folder',
      description:
        'For accounts on the Pro plan. Either all items are accepted or none; each costs one unit. A failed item does not fail the call, so check `success` of each. With `Tessera-Results: full` each result has more fields.',
      headers: BulkHeaders,
      body: BulkRequest,
      answer: withHeaders(
        BulkResponse,
        ...GRADED,
        'Idempotent-Replayed',
        'Tessera-Grades',
        'Tessera-Item-Warnings',
      ),
      fails: [409, 422],
      options: { bodyLimit: bodyLimitBytes, preValidation: createPresetHook(presets, 'bulk') },
      handle: async (request, principal, reply) => {
        const terms = repairTermsOf(request.headers);
        const caller = callerOf(request, principal, 'bulk', terms);
        const make = useCasesFor(request, principal, { bulk }, sandbox, rehearsal).bulk;
        const answer = await make(request.body, caller, terms);
        sendBulkOutcome(request, reply, answer);
        const { results } = answer;
        const meta = {
          total: results.length,
          successful: results.filter((result) => result.success).length,
          usage_count: answer.usageCount,
          remaining: answer.remaining,
          folder_id: answer.folderId,
        };
        const write = createResultWriter(request.headers);
        const bytes = bytesOf(results);
        if (bytes > LARGE_BYTES) {
          reply.server.keepUnread(reply, bytes);
          return reply.type('application/json; charset=utf-8').send(streamBulk(results, write, meta));
        }
        return { success: true as const, results: results.map(write), meta };
      },
    });
  },
);
