/** Sends a file as a batch. */
import { Fault } from '../../../api/client.ts';
import type { Batch, QrRequest } from '../../../api/shapes.ts';
import { type Upload, upload } from '../../../api/upload.ts';
import type { Format } from '../../download/file-choice.ts';
import type { ColumnsQuery } from '../columns/mapping.ts';
import { type FileKind, mediaTypeOf } from './file-kind.ts';

/** What a person decides for all rows. */
export interface BatchChoice {
  readonly folderName: string;
  readonly formats: readonly Format[];
  readonly onError: 'skip' | 'stop';
  /** Options of the design; those of a row win. */
  readonly design: Omit<QrRequest, 'data'>;
  readonly columns: ColumnsQuery;
}

/** A longer design, with a logo in it, does not fit into a header. */
const DESIGN_HEADER_MAX = 6000;

/** Headers take ASCII only. */
const toAscii = (json: string): string =>
  json.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Returns the body of the request and the headers that describe it.
 *
 * @throws {Fault} For a design that cannot be sent.
 */
export const toRequest = (
  file: File,
  kind: FileKind,
  design: BatchChoice['design'],
): Pick<Upload, 'headers' | 'body'> => {
  const type = mediaTypeOf(kind);
  const json = toAscii(JSON.stringify(design));
  const packed: Record<string, string> = kind.gzip ? { 'content-encoding': 'gzip' } : {};
  if (json.length <= DESIGN_HEADER_MAX) {
    const chosen: Record<string, string> = json === '{}' ? {} : { design: json };
    return { body: file, headers: { 'content-type': type, ...packed, ...chosen } };
  }
  if (kind.gzip)
    throw new Fault(
      400,
      'This logo is too large to go with a packed file',
      'unpack the file, or give the address of the logo',
    );
  const form = new FormData();
  form.append('design', json);
  // A blob of a file refers to it and copies nothing.
  form.append('rows', new Blob([file], { type }), file.name);
  return { body: form, headers: {} };
};

/** Sends a file as a batch. Sending it again under the same key makes nothing twice. @throws {Fault} */
export const sendBatch = async (
  file: File,
  kind: FileKind,
  { folderName, formats, onError, design, columns }: BatchChoice,
  { idempotencyKey, ...follow }: Pick<Upload, 'signal' | 'onProgress'> & { readonly idempotencyKey: string },
): Promise<Batch> => {
  const { headers, body } = toRequest(file, kind, design);
  const query = new URLSearchParams({
    folder: folderName,
    formats: formats.join(','),
    on_error: onError,
    ...columns,
  });
  return upload<Batch>({
    path: `api/v1/batches?${query}`,
    headers: { ...headers, 'idempotency-key': idempotencyKey },
    body,
    ...follow,
  });
};
