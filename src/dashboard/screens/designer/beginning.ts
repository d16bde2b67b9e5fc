/** What the designer begins with: the default preset, or a saved code that is taken up again. */
import { api, ask } from '../../api/client.ts';
import type { CodeWithDesign, Preset } from '../../api/shapes.ts';
import { type Draft, withoutDefaults } from './draft.ts';
import { designOf, presetsOf } from './presets/calls.ts';

/** A draft, the account's presets, and the saved code that is edited, if any. */
export interface Beginning {
  /** Differs for each saved code that is taken up. */
  readonly id: string;
  readonly draft: Draft;
  readonly presets: readonly Preset[];
  readonly edited: CodeWithDesign | null;
}

const EXAMPLE = 'https://example.com/';
const SIZE = { width: 600, height: 600 } as const;

const codeOf = (id: string, signal: AbortSignal): Promise<CodeWithDesign> =>
  ask(api.GET('/api/v1/codes/{id}', { params: { path: { id } }, signal }));

/** Returns the draft of a saved code: the same one to edit, or one like it with its present destination. */
export const draftOf = (code: CodeWithDesign, isEdit: boolean): Draft => ({
  request: withoutDefaults({
    data: isEdit ? code.content : (code.destination ?? code.content),
    ...code.design,
  }),
  dynamic: code.dynamic,
});

/** Loads it. `edit` and `from` are ids of saved codes. @throws {Fault} */
export const loadBeginning = async (
  { edit, from }: { readonly edit?: string | undefined; readonly from?: string | undefined },
  signal: AbortSignal,
): Promise<Beginning> => {
  const id = edit ?? from;
  const [presets, code] = await Promise.all([
    presetsOf(signal),
    id === undefined ? null : codeOf(id, signal),
  ]);
  if (code !== null) {
    const edited = edit === undefined ? null : code;
    return { id: `${edit} ${from}`, draft: draftOf(code, edited !== null), presets, edited };
  }
  const preset = presets.find(({ is_default }) => is_default);
  const request =
    preset === undefined ? { data: EXAMPLE, ...SIZE } : await designOf(preset.id, EXAMPLE, signal);
  return { id: 'new', draft: { request, dynamic: false }, presets, edited: null };
};
