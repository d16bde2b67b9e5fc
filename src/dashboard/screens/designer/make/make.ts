/** Makes, saves and downloads a designed code. */
import { api, ask, askRaw, Fault } from '../../../api/client.ts';
import type { QrRequest } from '../../../api/shapes.ts';
import type { Draft } from '../draft.ts';
import type { FileFormat } from './file.ts';

const MEDIA_TYPES: Readonly<Record<FileFormat, string>> = {
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  eps: 'application/postscript',
  webp: 'image/webp',
};

/** A saved code. */
export interface Saved {
  readonly id: string;
  readonly folderId: string;
  /** Of its short link; `null` when it is not dynamic. */
  readonly slug: string | null;
}

/** Makes a file that is not saved, for one unit. `query` is its size on paper; '' for pixels. @throws {Fault} */
export const makeFile = async (request: QrRequest, format: FileFormat, query: string): Promise<Blob> => {
  const response = await askRaw(`api/v1/qr/file?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: MEDIA_TYPES[format] },
    body: JSON.stringify(request),
  });
  return response.blob();
};

/** Returns the file of a saved code, free of charge. `query` as in `makeFile`. @throws {Fault} */
export const savedFile = async (id: string, format: FileFormat, query: string): Promise<Blob> =>
  (await askRaw(`api/v1/codes/${id}/image?format=${format}${query === '' ? '' : `&${query}`}`)).blob();

/** Saves a code in a folder, as a bulk call of one, for one unit. @throws {Fault} Also when the item failed. */
export const saveCode = async ({ request, dynamic }: Draft, folderName: string): Promise<Saved> => {
  const body = { folderName, items: [dynamic ? { ...request, dynamic } : request] };
  const { results, meta } = await ask(api.POST('/api/v1/qr/bulk', { body }));
  const [result] = results;
  if (result?.data === undefined)
    throw new Fault(400, 'The code was not saved and cost nothing', result?.error ?? '');
  const folderId = meta.folder_id;
  const query = { folder_id: folderId, limit: 1 };
  const { data } = await ask(api.GET('/api/v1/codes', { params: { query } }));
  const [code] = data;
  if (code?.content !== request.data) throw new Fault(0, 'The code is saved', 'open its folder to see it');
  return { id: code.id, folderId, slug: code.slug };
};

/** Gives a saved code its name. @throws {Fault} */
export const nameCode = async (id: string, name: string): Promise<void> => {
  await askRaw(`api/v1/codes/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
};

/** Gives a saved code another design, free of charge. @throws {Fault} */
export const saveDesign = async (id: string, { data: _, ...design }: QrRequest): Promise<void> => {
  await ask(api.PUT('/api/v1/codes/{id}/design', { params: { path: { id } }, body: design }));
};
