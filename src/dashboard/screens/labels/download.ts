/** Downloads a document, and counts its pages on the way. */
import type { SheetsRequest } from '../../../sheets/request.ts';
import { askRaw, Fault } from '../../api/client.ts';
import { createPageCount } from './page-count.ts';

/** How far a download is. */
export interface Progress {
  readonly done: number;
  readonly pages: number;
}

/** A finished download. */
export interface Sheets {
  readonly pdf: Blob;
  /** The least side of a module in mm when it is too small for phones; else `null`. */
  readonly smallModuleMm: number | null;
}

/** @throws {Fault} When the request is refused, or the document breaks off. An abort is thrown unchanged. */
export const downloadSheets = async (
  folderId: string,
  request: SheetsRequest,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Sheets> => {
  const response = await askRaw(`api/v1/folders/${folderId}/sheets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
    signal,
  });
  const pages = Number(response.headers.get('tessera-pages'));
  const [, small] = /small-modules;v=([\d.]+)/.exec(response.headers.get('tessera-warnings') ?? '') ?? [];
  const countPages = createPageCount();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body!.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      if (signal.aborted) throw cause;
      throw new Fault(0, 'The document broke off', 'try again');
    });
    if (done) break;
    pieces.push(value);
    onProgress({ done: Math.min(pages, countPages(value)), pages });
  }
  return {
    pdf: new Blob(pieces, { type: 'application/pdf' }),
    smallModuleMm: small === undefined ? null : Number(small),
  };
};
