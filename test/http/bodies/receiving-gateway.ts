/** A gateway that receives bodies as the real one does and stores nothing: a batch is refused once it has been read. */
import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyRequest } from 'fastify';
import { readRowLines } from '../../../src/batches/receive/lines.ts';
import type { Incoming } from '../../../src/batches/receive/receive.ts';
import { Unreadable } from '../../../src/batches/receive/table.ts';
import { createRowReader } from '../../../src/batches/rows/row.ts';
import { BatchOptions, BatchRow } from '../../../src/batches/rows/schema.ts';
import type { Upload } from '../../../src/db/tables/batches/uploads.ts';
import { AppError } from '../../../src/errors.ts';
import { createTimeSlices } from '../../../src/execution/time-limits.ts';
import { createBodyBudget } from '../../../src/http/bodies/body-budget.ts';
import { createLingering, limitBodyTime, lingerAfterAnswers } from '../../../src/http/bodies/connections.ts';
import { acceptJsonBodies } from '../../../src/http/bodies/json-body.ts';
import { createOnce } from '../../../src/http/compile.ts';
import { answerErrors, createBrokenRequestHandler } from '../../../src/http/error-handler.ts';
import { meterCalls } from '../../../src/http/limits/metered.ts';
import { batchPreviewRoute } from '../../../src/http/routes/account/batches/preview.ts';
import { sendBatchRoute } from '../../../src/http/routes/account/batches/send.ts';
import { createUploadPlaces } from '../../../src/http/routes/account/batches/upload-places.ts';
import { uploadRoutes } from '../../../src/http/routes/account/batches/uploads.ts';
import type { Services } from '../../../src/http/routes/services.ts';
import {
  createCheck,
  createValidatorCompiler,
  toValidationError,
} from '../../../src/http/schemas/validation.ts';
import { createFreeWork } from '../../../src/limits/free-work.ts';
import { createMeter } from '../../../src/limits/meter.ts';
import { refused } from '../../../src/result.ts';
import type { TestScope } from '../../servers/server-process.ts';

/** Reads rows as a batch does, and reports their number. */
const receive = async ({
  batch: { format },
  columns,
  encoding,
  notes,
  chunks,
  watch,
}: Incoming): Promise<never> => {
  let rows = 0;
  try {
    const reading = { format, encoding, columns, notes };
    for await (const _ of watch.read(readRowLines(chunks, reading))) rows += 1;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    for await (const _ of chunks);
    throw new AppError('invalid_body', error.message);
  }
  throw new AppError('quota_exhausted', `The batch needs ${rows} units and 0 are left.`, { retryAfterS: 1 });
};

const createUploads = () => {
  const uploads = new Map<string, Upload & { readonly chunks: number; stored: Buffer[] }>();
  return {
    begin: async (accountId: string, terms: string) => {
      const upload = {
        ...{ id: randomUUID(), accountId, terms, bytes: 0, chunks: 0, batchId: null, stored: [] },
        expiresAt: new Date(Date.now() + 60_000),
      };
      uploads.set(upload.id, upload);
      return upload;
    },
    get: async (_: string, id: string) => uploads.get(id) ?? null,
    append: async (upload: Upload, bytes: Buffer) => {
      const now = uploads.get(upload.id)!;
      const appended = { ...now, bytes: now.bytes + bytes.length, stored: [...now.stored, bytes] };
      uploads.set(upload.id, appended);
      return appended;
    },
    read: async function* ({ id }: Upload) {
      yield* uploads.get(id)!.stored;
      uploads.get(id)!.stored = [];
    },
    forgetAll: () => uploads.clear(),
  };
};

/** Starts the gateway. The value of `Authorization` is the account. */
export const startReceivingGateway = async (scope: TestScope) => {
  const lingering = createLingering({ timeoutMs: 30_000, maxBytes: 256 * 1024 * 1024 });
  const clientErrorHandler = createBrokenRequestHandler(lingering);
  const app = Fastify({ clientErrorHandler, schemaErrorFormatter: toValidationError });
  lingerAfterAnswers(app, lingering);
  const slices = createTimeSlices();
  app.setValidatorCompiler(createValidatorCompiler(() => true, slices, createOnce().once));
  meterCalls(
    app,
    createMeter(createFreeWork(0), 1, () => 0),
  );
  app.decorateRequest('principal', null);
  const bodies = createBodyBudget(64 * 1024 * 1024);
  answerErrors(app);
  limitBodyTime(app);
  acceptJsonBodies(app, bodies, slices);
  const admit = async (request: FastifyRequest): Promise<void> => {
    const accountId = String(request.headers.authorization);
    request.principal = { accountId, keyId: accountId } as FastifyRequest['principal'];
  };
  const uploads = createUploads();
  const links = { checkDestination: () => refused('needs a gateway with links') };
  const rowParts = { checkRow: createCheck(BatchRow, () => true), links };
  const uploadPlaces = createUploadPlaces();
  const parts = {
    auth: { require: () => admit },
    rateLimit: { hook: async () => {} },
    freeWork: { admit: () => {}, spend: () => {} },
    batches: {
      receive,
      uploads,
      uploadPlaces,
      checkDesign: createCheck(BatchOptions, () => true),
      createRowReader: createRowReader.bind(null, rowParts),
      retentionDays: 7,
    },
    // No account has a domain.
    database: { sql: async () => [] },
  } as unknown as Services;
  for (const routes of [sendBatchRoute(parts), batchPreviewRoute(parts), uploadRoutes(parts)])
    await app.register(routes);
  // Without a schema, an empty body reaches the handler.
  app.post('/json', { onRequest: admit, bodyLimit: 8 * 1024 * 1024 }, async ({ body = null }) => ({
    sha256: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
  }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  scope.teardown(() => app.close());
  return {
    port: (app.server.address() as AddressInfo).port,
    forgetUploads: uploads.forgetAll,
    async beginUpload(headers: Readonly<Record<string, string>>): Promise<string> {
      const begun = await app.inject({
        method: 'POST',
        url: '/batches',
        headers: { ...headers, 'upload-complete': '?0' },
      });
      return `/${begun.headers.location}`;
    },
    /** Bytes of bodies that are being received. */
    heldBytes: () => bodies.stats().customers,
  };
};
