import { createHash, type Hash } from 'node:crypto';
import type { createReceive, Incoming, Received } from '../../../../batches/receive/receive.ts';
import type { Check } from '../../../../batches/rows/row.ts';
import type { Database } from '../../../../db/database.ts';
import type { BatchFormat } from '../../../../db/tables/batches/batches.ts';
import type { NewBatch } from '../../../../db/tables/batches/receiving.ts';
import { defaultFolderName, toFolderName } from '../../../../db/tables/folder-name.ts';
import { hasFolder } from '../../../../db/tables/folders.ts';
import { getWebhook } from '../../../../db/tables/webhooks/webhooks.ts';
import { fieldError } from '../../../../errors.ts';
import { NO_TERMS } from '../../../../generate/quality/graded.ts';
import { mergeOptions } from '../../../../generate/request/merge.ts';
import type { PresetLookup } from '../../../../presets/lookup.ts';
import { writeTraceContext } from '../../../../tracing/context.ts';
import { currentTrace } from '../../../../tracing/trace.ts';
import { ANY_UUID } from '../../../../uuid.ts';
import { namedPreset } from '../../../preset.ts';
import { columnsOfQuery, refuseColumnsOf } from './columns.ts';
import { isMultipart, openBody, parseDesign, requireRows } from './multipart.ts';
import type { SendTerms } from './terms.ts';

/** What receives batches needs. */
export interface ReceiverParts {
  readonly database: Database;
  readonly presets: PresetLookup;
  readonly batches: {
    readonly receive: ReturnType<typeof createReceive>;
    readonly checkDesign: Check;
    readonly retentionDays: number;
  };
}

const DAY_S = 86_400;

const toFormats = (text = 'png'): BatchFormat[] => [...new Set(text.split(','))] as BatchFormat[];

const toFolder = async (
  sql: Database['sql'],
  accountId: string,
  text: string | undefined,
): Promise<NewBatch['folder']> => {
  if (text !== undefined && ANY_UUID.test(text)) {
    if (await hasFolder(sql, accountId, text)) return { id: text };
    throw fieldError('folder', 'must be the id of one of your folders, or a name', 'invalid_query');
  }
  const name = toFolderName(text ?? defaultFolderName(new Date()));
  if (!name.ok) throw fieldError('folder', name.fault, 'invalid_query');
  return { name: name.value };
};

const toWebhookId = async (
  sql: Database['sql'],
  accountId: string,
  id: string | undefined,
): Promise<string | null> => {
  if (id === undefined) return null;
  if ((await getWebhook(sql, accountId, id)) !== null) return id;
  throw fieldError('webhook', 'must be the id of one of your webhooks', 'invalid_query');
};

const toLifetimeS = (seconds: number | undefined, retentionDays: number): number => {
  const maxS = retentionDays * DAY_S;
  if (seconds !== undefined && seconds > maxS)
    throw fieldError('expires_in', `must be at most ${maxS}`, 'invalid_query');
  return seconds ?? maxS;
};

/** Passes bytes on and adds them to a hash. */
export async function* hashed(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Who sends a batch. */
export type Sender = Pick<NewBatch, 'accountId' | 'keyId'>;

/** Makes what checks the terms of a batch, and what receives it. */
export const createReceiver = ({ database: { sql }, presets, batches }: ReceiverParts) => {
  const { receive, checkDesign, retentionDays } = batches;

  /** @throws {AppError} When the terms are wrong. */
  const check = async ({ accountId }: Sender, { query, design, preset, contentType = '' }: SendTerms) => {
    requireRows(contentType);
    return {
      named: preset === undefined ? null : await namedPreset(presets, accountId, preset),
      columns: columnsOfQuery(query),
      headerDesign: parseDesign(design, checkDesign, 'invalid_header'),
      lifetimeS: toLifetimeS(query.expires_in, retentionDays),
      folder: await toFolder(sql, accountId, query.folder),
      webhookId: await toWebhookId(sql, accountId, query.webhook),
    };
  };

  /**
   * Receives a batch.
   *
   * @param open Yields its bytes, unpacked, and adds to the hash what was sent.
   * @param settle As that of `Incoming`.
   * @throws {AppError}
   */
  const receiveFrom = async (
    sender: Sender,
    terms: SendTerms,
    open: (hash: Hash) => AsyncGenerator<Buffer>,
    settle: Incoming['settle'] = async () => {},
  ): Promise<Received> => {
    const { query, contentType, design, quality = NO_TERMS } = terms;
    const { columns, named, headerDesign, lifetimeS, folder, webhookId } = await check(sender, terms);
    const multipart = isMultipart(contentType ?? '');
    // A request that is repeated may have another boundary: what counts of a multipart body is its parts.
    const hash = createHash('sha256').update(
      JSON.stringify([query, multipart || contentType, design, quality, named?.fingerprint]),
    );
    const sent = multipart ? createHash('sha256') : hash;
    const body = await openBody(contentType ?? '', open(sent), checkDesign);
    if (multipart) hash.update(JSON.stringify([body.format, body.design]));
    const chunks = multipart ? hashed(body.chunks, hash) : body.chunks;
    refuseColumnsOf(body.format, columns);
    if (body.design !== null && headerDesign !== null)
      throw fieldError('Design', 'must not be given together with a part "design"', 'invalid_header');
    const trace = currentTrace();
    const batch: NewBatch = {
      ...sender,
      format: body.format,
      formats: toFormats(query.formats),
      onError: query.on_error ?? 'skip',
      design: mergeOptions<object>(named?.options ?? {}, body.design ?? headerDesign ?? {}),
      ...quality,
      folder,
      lifetimeS,
      idempotencyKey: terms.idempotencyKey,
      webhookId,
      trace: trace === undefined ? null : writeTraceContext(trace.context),
    };
    return receive({ batch, columns, chunks, requestSha256: () => hash.copy().digest('hex'), settle });
  };

  return { check, receiveFrom };
};
