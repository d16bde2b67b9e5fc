/** Makes a designed code. Each costs one unit. */
import { api, ask, Fault } from '../../../api/client.ts';
import type { QrRequest } from '../../../api/shapes.ts';
import type { Draft } from '../draft.ts';
import type { MadeCode } from './made.tsx';

/** Makes a code that is not saved. @throws {Fault} */
export const makeAlone = async (request: QrRequest): Promise<MadeCode> => {
  const { data, meta } = await ask(api.POST('/api/v1/qr', { body: request }));
  return { data, content: request.data, remaining: meta.remaining, folderId: null };
};

/** Makes a code in a folder, as a batch of one. @throws {Fault} Also when the item failed. */
export const makeInFolder = async ({ request, dynamic }: Draft, folderName: string): Promise<MadeCode> => {
  const body = { folderName, items: [dynamic ? { ...request, dynamic } : request] };
  const { results, meta } = await ask(api.POST('/api/v1/qr/bulk', { body }));
  const [result] = results;
  if (result?.data === undefined)
    throw new Fault(400, 'The code was not made and cost nothing', result?.error ?? '');
  return { data: result.data, content: request.data, remaining: meta.remaining, folderId: meta.folder_id };
};
