import { createHash, type Hash } from 'node:crypto';
import type { FileFormat } from '../../../../../workers/lists.ts';
import { BATCH_MAX_BYTES, UPLOADS } from '../../../../batches/receive/limits.ts';
import type { Incoming, Received } from '../../../../batches/receive/receive.ts';
import type { Watch } from '../../../../batches/receive/upload.ts';
import { canBeUnique } from '../../../../batches/rows/options.ts';
import { createNotes } from '../../../../csv/notes.ts';
import type { Database } from '../../../../db/database.ts';
import type { NewBatch } from '../../../../db/tables/batches/receiving.ts';
import type { Upload } from '../../../../db/tables/batches/uploads.ts';
import { findLinkDomain, findUsualDomain } from '../../../../db/tables/domains/served.ts';
import { hasFolder } from '../../../../db/tables/folders.ts';
import { defaultFolderName } from '../../../../db/tables/names.ts';
import { getWebhook } from '../../../../db/tables/webhooks/webhooks.ts';
import { type ErrorCode, fieldError } from '../../../../errors.ts';
import { NO_GRADE_TERMS } from '../../../../generate/parts.ts';
import { underProfile } from '../../../../generate/request/file-options.ts';
import { chooseDomain } from '../../../../generate/save/domain.ts';
import { chooseFolder, FOLDER_FIELDS } from '../../../../generate/save/request.ts';
import { writeTraceContext } from '../../../../tracing/context.ts';
import { currentTrace } from '../../../../tracing/trace.ts';
import { canonicalOf } from '../../../bodies/json-body.ts';
import { namedProfile } from '../../../files/print-profile.ts';
import { namedPreset } from '../../../preset.ts';
import type { Need } from '../../services.ts';
import { columnsOfQuery, refuseColumnsOf, settleContent } from './content.ts';
import { isMultipart, openBody, parseDesign, requireRows } from './multipart.ts';
import { manifestFormOf, type SendTerms } from './send-terms.ts';

/** What receives batches needs. */
export type ReceiverParts = Need<'batches' | 'database' | 'presets'>;

const DAY_S = 86_400;

const toFormats = (text: string): FileFormat[] => [...new Set(text.split(','))] as FileFormat[];

const toFolder = (
  sql: Database['sql'],
  accountId: string,
  { folder_id: id, folder_name: name }: SendTerms['query'],
): Promise<NewBatch['folder']> =>
  chooseFolder({ hasFolder: (account, folder) => hasFolder(sql, account, folder) }, accountId, {
    fields: FOLDER_FIELDS,
    id,
    name,
    code: 'invalid_query',
    usual: defaultFolderName(new Date()),
  });

const domainsOf = (sql: Database['sql']) => ({
  findDomain: (accountId: string, host: string) => findLinkDomain(sql, accountId, host),
  findUsualDomain: (accountId: string, folder: NewBatch['folder']) => findUsualDomain(sql, accountId, folder),
});

/** Returns the id of one of the account's webhooks; `null`: none is named. @throws {AppError} 400 for any other. */
export const toWebhookId = async (
  sql: Database['sql'],
  accountId: string,
  id: string | undefined,
): Promise<string | null> => {
  if (id === undefined) return null;
  if ((await getWebhook(sql, accountId, id)) !== null) return id;
  throw fieldError('webhook', 'must be the id of one of your webhooks', 'invalid_query');
};

/** @throws {AppError} 400 when rows cannot have values of their own in the column. */
export const refuseUnique = (column: string | undefined, names: readonly string[]): void => {
  if (column !== undefined && !canBeUnique(column, names))
    throw fieldError(
      'unique',
      'must be data, external_id, name, file, slug, a GS1 column, or a column that a template names',
      'invalid_query',
    );
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

/** Makes the functions that check the terms of a batch and receive it. */
export const createReceiver = ({ database: { sql }, presets, batches }: ReceiverParts) => {
  const { receive, checkDesign, retentionDays } = batches;

  /** @throws {AppError} When the terms are wrong. */
  const check = async (
    { accountId }: Sender,
    { query, design, preset, domain, contentType = '' }: SendTerms,
  ) => {
    requireRows(contentType);
    const named = preset === undefined ? null : await namedPreset(presets, accountId, preset);
    const profile = query.profile === undefined ? {} : await namedProfile(sql, accountId, query.profile);
    const headerDesign = parseDesign(design, checkDesign, 'invalid_header');
    /** Reads the options for all rows. @throws {AppError} 400. */
    const settleDesign = async (own: object | null, code: ErrorCode) => {
      const options = underProfile(profile, named?.options ?? {}, own ?? {});
      const { counters, table } = await settleContent(sql, accountId, options, code);
      refuseUnique(query.unique, table.names);
      return { options, counters, columns: columnsOfQuery(query, table) };
    };
    const folder = await toFolder(sql, accountId, query);
    const choice = { ...(domain !== undefined && { domain }), presetDomain: named?.domain ?? null };
    return {
      named,
      profile,
      headerDesign,
      settleDesign,
      // A multipart body may still have a design of its own.
      settled: isMultipart(contentType) ? null : await settleDesign(headerDesign, 'invalid_header'),
      lifetimeS: toLifetimeS(query.expires_in, retentionDays),
      folder,
      domain: await chooseDomain(domainsOf(sql), accountId, choice, folder),
      webhookId: await toWebhookId(sql, accountId, query.webhook),
    };
  };

  /**
   * Receives a batch.
   *
   * @param watch Aborts it when it arrives or is read too slowly.
   * @param open Yields its bytes, unpacked, and adds to the hash what was sent.
   * @param settle As in `Incoming`.
   * @throws {AppError}
   */
  const receiveFrom = async (
    sender: Sender,
    terms: SendTerms,
    watch: Watch,
    open: (hash: Hash) => AsyncGenerator<Buffer>,
    settle: Incoming['settle'] = async () => {},
  ): Promise<Received> => {
    const { query, contentType, quality = NO_GRADE_TERMS } = terms;
    const { named, profile, headerDesign, settleDesign, settled, ...checked } = await check(sender, terms);
    const { lifetimeS, folder, domain, webhookId } = checked;
    const multipart = isMultipart(contentType ?? '');
    // A repeated request may have another boundary, so of a multipart body only the parts count.
    const hash = createHash('sha256').update(
      canonicalOf([
        ...[query, multipart || contentType, headerDesign, quality, named?.fingerprint, terms.domain],
        ...(query.profile === undefined ? [] : [profile]),
      ]),
    );
    const sent = multipart ? createHash('sha256') : hash;
    const body = await watch.guard(openBody(contentType ?? '', open(sent), checkDesign));
    if (multipart) hash.update(canonicalOf([body.format, body.encoding, body.design]));
    const chunks = watch.read(multipart ? hashed(body.chunks, hash) : body.chunks);
    if (body.design !== null && headerDesign !== null)
      throw fieldError('Design', 'must not be given together with a part "design"', 'invalid_header');
    const code = body.design === null ? 'invalid_header' : 'invalid_body';
    const { options, counters, columns } = settled ?? (await settleDesign(body.design ?? headerDesign, code));
    refuseColumnsOf(body.format, columns);
    const trace = currentTrace();
    const batch: NewBatch = {
      ...sender,
      format: body.format,
      formats: toFormats(query.formats ?? profile.format ?? 'png'),
      onError: query.on_error ?? 'skip',
      design: options,
      counters,
      ...quality,
      duplicateRule: query.duplicates ?? 'refuse-keys',
      duplicateScope: query.duplicates_in ?? 'batch',
      uniqueColumn: query.unique ?? null,
      manifest: manifestFormOf(query),
      folder,
      domainId: domain?.id ?? null,
      lifetimeS,
      idempotencyKey: terms.idempotencyKey,
      webhookId,
      trace: trace === undefined ? null : writeTraceContext(trace.context),
    };
    const requestSha256 = () => hash.copy().digest('hex');
    const { encoding } = body;
    return receive({ batch, columns, encoding, notes: createNotes(), chunks, watch, requestSha256, settle });
  };

  return { check, receiveFrom };
};

/** Returns the headers with the state of an upload (draft-ietf-httpbis-resumable-upload, sections 4.1 to 4.3). */
export const uploadHeaders = ({ bytes, batchId, expiresAt }: Upload) => ({
  'upload-offset': bytes,
  'upload-complete': batchId === null ? '?0' : '?1',
  'upload-limit': `max-size=${BATCH_MAX_BYTES}, max-append-size=${UPLOADS.chunkMaxBytes}, max-age=${Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000))}`,
  'cache-control': 'no-store',
});
