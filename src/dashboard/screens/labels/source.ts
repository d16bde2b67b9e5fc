/** The codes that labels are made of: a folder, or chosen codes. */
import { api, ask, toScreenPath } from '../../api/client.ts';
import type { Code } from '../../api/shapes.ts';
import { say } from '../../words/say.ts';

/** What a label shows of a code. */
export type LabelledCode = Pick<Code, 'id' | 'content' | 'name' | 'external_id' | 'slug'>;

/** Codes that the preview shows. */
export const SHOWN = 100;

export interface Source {
  /** Also the name of the file. */
  readonly name: string;
  /** The screen to which a link above the title leads. */
  readonly above: { readonly path: string; readonly name: string };
  readonly count: number;
  /** The first codes, in the order of the labels. */
  readonly codes: readonly LabelledCode[];
  /** The call that makes the sheets, and what it takes besides their settings. */
  readonly path: string;
  readonly chosen: { readonly ids?: readonly string[] };
}

/** @throws {Fault} */
export const readFolder = async (id: string, signal: AbortSignal): Promise<Source> => {
  const path = { id };
  const [folder, codes] = await Promise.all([
    ask(api.GET('/api/v1/folders/{id}', { params: { path }, signal })),
    ask(api.GET('/api/v1/folders/{id}/codes', { params: { path, query: { limit: SHOWN } }, signal })),
  ]);
  return {
    name: folder.name,
    above: { path: `/folders/${id}`, name: folder.name },
    count: folder.code_count,
    codes: codes.data,
    path: `api/v1/folders/${id}/sheets`,
    chosen: {},
  };
};

/** Where the chosen codes are kept in the tab: too many for an address. */
const KEY = 'labels of codes';

interface Chosen {
  readonly ids: readonly string[];
  readonly codes: readonly LabelledCode[];
}

/** As many as one call takes. */
export const CHOSEN_MAX = 1000;

/** Keeps chosen codes, at most `CHOSEN_MAX`, and returns the address of the screen that makes their labels. */
export const labelsOf = (codes: readonly LabelledCode[]): string => {
  // Ids rise with the time at which codes were made, which is the order of the labels.
  const inOrder = codes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const shown = inOrder
    .slice(0, SHOWN)
    .map(({ id, content, name, external_id, slug }) => ({ id, content, name, external_id, slug }));
  const chosen: Chosen = { ids: inOrder.map(({ id }) => id), codes: shown };
  sessionStorage.setItem(KEY, JSON.stringify(chosen));
  return toScreenPath('/codes/labels');
};

/** Returns the codes that were chosen in this tab; without any, none. */
export const readChosen = (): Source => {
  const { ids, codes }: Chosen = JSON.parse(sessionStorage.getItem(KEY) ?? '{"ids":[],"codes":[]}');
  return {
    name: 'codes',
    above: { path: '/codes', name: say('Codes') },
    count: ids.length,
    codes,
    path: 'api/v1/codes/sheets',
    chosen: { ids },
  };
};
