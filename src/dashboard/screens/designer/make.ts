/** Makes a designed code; each costs one unit. */
import { api, ask, Fault } from '../../api/client.ts';
import type { QrRequest } from '../../api/shapes.ts';
import type { Draft } from './draft.ts';
import type { MadeCode } from './made.tsx';

/** Drawn, and kept nowhere. @throws {Fault} */
export const makeAlone = async (request: QrRequest): Promise<MadeCode> => {
  const { data, meta } = await ask(api.POST('/api/v1/qr', { body: request }));
  return { data, content: request.data, remaining: meta.remaining, folderId: null };
};

/** Kept in a folder, by a batch of one. @throws {Fault} also when the one item failed. */
export const makeInFolder = async ({ request, dynamic }: Draft, folderName: string): Promise<MadeCode> => {
  const body = { folderName, items: [dynamic ? { ...request, dynamic } : request] };
  const { results, meta } = await ask(api.POST('/api/v1/qr/bulk', { body }));
  const [result] = results;
  if (result?.data === undefined) throw new Fault(400, 'Not made, and not paid', result?.error ?? '');
  return { data: result.data, content: request.data, remaining: meta.remaining, folderId: meta.folder_id };
};
