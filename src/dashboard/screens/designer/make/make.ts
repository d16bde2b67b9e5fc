/** Makes, saves and downloads a designed code. */
import { type FileFormat, FORMATS } from '../../../../../workers/lists.ts';
import { api, ask, askRaw, ifMatch } from '../../../api/client.ts';
import type { CodeWithDesign, QrRequest } from '../../../api/shapes.ts';
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
export const getSavedFile = async (id: string, format: FileFormat, query: string): Promise<Blob> =>
  (await askRaw(`api/v1/codes/${id}/image?format=${format}${query === '' ? '' : `&${query}`}`)).blob();

/** Where a code is saved, and under which name; '' for none. */
export interface Place {
  readonly folderName: string;
  readonly name: string;
}

/** Saves a code in a folder, for one unit. @throws {Fault} */
export const saveCode = async ({ request, dynamic }: Draft, place: Place): Promise<Saved> => {
  const name = place.name.trim();
  const saved = { folder_name: place.folderName.trim(), ...(name !== '' && { name }) };
  const body = { ...request, ...saved, ...(dynamic && { dynamic }) };
  // The call answers with a picture only to clients that accept one.
  const made = (await ask(api.POST('/api/v1/codes', { body }))) as CodeWithDesign;
  const { id, folder_id: folderId, slug, etag } = made;
  return { id, folderId, slug, etag };
};

const paramsOf = (code: Saved) => ({ path: { id: code.id }, header: ifMatch(code) });

/** Gives a saved code another design, free of charge, and returns its new version. @throws {Fault} */
export const saveDesign = async (code: Saved, { data: _, ...design }: QrRequest): Promise<Saved> => {
  const call = api.PUT('/api/v1/codes/{id}/design', { params: paramsOf(code), body: design });
  return { ...code, etag: (await ask(call)).etag };
};
