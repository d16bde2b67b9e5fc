/** Asks the service for the columns and first rows of a file. */
import { askRaw } from '../../../api/client.ts';
import type { BatchPreview } from '../../../api/shapes.ts';
import { type FileKind, mediaTypeOf } from '../send/file-kind.ts';

/** The first rows of most files are far shorter, and this is sent in a moment. */
const BEGINNING_BYTES = 256 * 1024;

const beginningOf = async (file: Blob, bytes: number): Promise<Blob> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  while (length < bytes) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
  }
  await reader.cancel();
  return new Blob(parts);
};

/**
 * Returns the columns and first rows of a file of CSV or XLSX.
 *
 * @param rows How many rows are asked for.
 * @param bytes How much of CSV is sent. An XLSX file is sent whole, since it cannot be read otherwise.
 * @throws {Fault} When the service cannot read it.
 */
export const loadPreview = async (
  file: File,
  kind: FileKind,
  { rows = 5, bytes = BEGINNING_BYTES, signal }: { rows?: number; bytes?: number; signal?: AbortSignal } = {},
): Promise<BatchPreview> => {
  const cut = kind.gzip ? await beginningOf(file, bytes) : file.slice(0, bytes);
  const answer = await askRaw(`api/v1/batches/preview?rows=${rows}`, {
    method: 'POST',
    headers: { 'content-type': mediaTypeOf(kind) },
    body: kind.format === 'xlsx' ? file : cut,
    ...(signal && { signal }),
  });
  return (await answer.json()) as BatchPreview;
};
