/** Makes a designed code. Each costs one unit. */
import { api, ask, askRaw, Fault } from '../../../api/client.ts';
import type { QrRequest } from '../../../api/shapes.ts';
import { type FileChoice, type Format, toQuery } from '../../download/file-choice.ts';
import { gradeInWords } from '../../download/grade-in-words.ts';
import type { Draft } from '../draft.ts';
import type { MadeCode } from './made.tsx';

const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  eps: 'application/postscript',
  webp: 'image/webp',
};

/** The units that are left of the month, as the header says it; `null` when it does not. */
const remainingOf = (headers: Headers): number | null => {
  const [, remaining] = /"monthly";r=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  return remaining === undefined ? null : Number(remaining);
};

/** Makes a file that is not saved. In pixels it has the size of the design. @throws {Fault} */
export const makeAlone = async (request: QrRequest, choice: FileChoice): Promise<MadeCode> => {
  const { format, unit } = choice;
  const response = await askRaw(`api/v1/qr/file?${unit === 'px' ? '' : toQuery(choice)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: MEDIA_TYPES[format] },
    body: JSON.stringify(request),
  });
  return {
    data: URL.createObjectURL(await response.blob()),
    format,
    grade: gradeInWords(response.headers, unit === 'mm'),
    content: request.data,
    remaining: remainingOf(response.headers),
    folderId: null,
  };
};

/** Returns the code of a folder that was made last, when it has the content; else `null`. */
const findMade = async (folderId: string, content: string): Promise<MadeCode['saved']> => {
  const query = { folder_id: folderId, limit: 1 };
  const { data } = await ask(api.GET('/api/v1/codes', { params: { query } })).catch(() => ({ data: [] }));
  const [code] = data;
  return code?.content === content ? { id: code.id, widthPx: code.width } : undefined;
};

/** Makes a code in a folder, as a bulk call of one. @throws {Fault} Also when the item failed. */
export const makeInFolder = async ({ request, dynamic }: Draft, folderName: string): Promise<MadeCode> => {
  const body = { folderName, items: [dynamic ? { ...request, dynamic } : request] };
  const { results, meta } = await ask(api.POST('/api/v1/qr/bulk', { body }));
  const [result] = results;
  if (result?.data === undefined)
    throw new Fault(400, 'The code was not made and cost nothing', result?.error ?? '');
  const saved = await findMade(meta.folder_id, request.data);
  return {
    ...{ data: result.data, format: 'png', grade: '', content: request.data },
    ...{ remaining: meta.remaining, folderId: meta.folder_id },
    ...(saved === undefined ? {} : { saved }),
  };
};
