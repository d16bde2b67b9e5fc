/** Makes, saves and downloads a designed code. */
import { type FileFormat, FORMATS } from '../../../../../workers/lists.ts';
import { api, ask, askRaw, Fault, ifMatch } from '../../../api/client.ts';
import type { QrRequest } from '../../../api/shapes.ts';
import type { Draft } from '../draft.ts';

/** A saved code. */
export interface Saved {
  readonly id: string;
  readonly folderId: string;
  /** Of its short link; `null` when it is not dynamic. */
  readonly slug: string | null;
  /** Of the version that was saved or read. */
  readonly etag: string;
}

/** Makes a file that is not saved, for one unit. `query` is its size on paper; '' for pixels. @throws {Fault} */
export const makeFile = async (request: QrRequest, format: FileFormat, query: string): Promise<Blob> => {
  const response = await askRaw(`api/v1/qr/file?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: FORMATS[format].mediaType },
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
  return { id: code.id, folderId, slug: code.slug, etag: code.etag };
};

const paramsOf = (code: Saved) => ({ path: { id: code.id }, header: ifMatch(code) });

/** Gives a saved code its name, and returns its new version. @throws {Fault} */
export const nameCode = async (code: Saved, name: string): Promise<Saved> => {
  const { etag } = await ask(api.PATCH('/api/v1/codes/{id}', { params: paramsOf(code), body: { name } }));
  return { ...code, etag };
};

/** Gives a saved code another design, free of charge, and returns its new version. @throws {Fault} */
export const saveDesign = async (code: Saved, { data: _, ...design }: QrRequest): Promise<Saved> => {
  const call = api.PUT('/api/v1/codes/{id}/design', { params: paramsOf(code), body: design });
  return { ...code, etag: (await ask(call)).etag };
};
