import { useState } from 'preact/hooks';
import { asFault } from '../../../api/client.ts';
import { useSession } from '../../../session.ts';
import { useAction } from '../../../ui/use-action.ts';
import { saveBlob } from '../../download/save-file.ts';
import { type Draft, type FieldFault, toFieldFault } from '../draft.ts';
import type { FileChoice } from './file.ts';
import { makeFile, nameCode, type Saved, saveCode, saveDesign, savedFile } from './make.ts';

/** Where a code is saved, and under which name; '' for none. */
export interface Place {
  readonly folderName: string;
  readonly name: string;
}

/** A saved code, and the draft that it was saved from. */
interface Kept extends Saved {
  readonly draft: Draft;
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Returns why this session can neither save nor download, or cannot save; `null` for nothing. */
const obstacles = (plan: string, scopes: readonly string[]) => {
  const none = scopes.includes('generate')
    ? null
    : 'Your key cannot make codes. Sign in with one that has the scope “generate”.';
  return { none, save: none ?? (plan === 'pro' ? null : 'Folders and dynamic codes need the Pro plan.') };
};

/**
 * Downloads and saves the current design, and knows whether it is saved. `edited` is the saved code that is being
 * edited. `onFault` gets the field that the service rejects, or `null`.
 */
export const useCode = (draft: Draft, edited: Saved | null, onFault: (fault: FieldFault | null) => void) => {
  const { account, scopes } = useSession();
  const [kept, keep] = useState<Kept | null>(edited && { ...edited, draft });
  const [done, setDone] = useState<{ readonly draft: Draft; readonly text: string } | null>(null);
  const saving = useAction();
  const downloading = useAction();
  const isSaved = kept !== null && same(kept.draft, draft);
  // The content of a saved code stays, so another content is another code.
  const canUpdate =
    kept !== null && kept.draft.request.data === draft.request.data && kept.draft.dynamic === draft.dynamic;

  const tell = (text: string) => setDone({ draft, text });
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    onFault(null);
    try {
      return await work();
    } catch (error) {
      onFault(toFieldFault(asFault(error).details));
      throw error;
    }
  };

  const saveNew = async ({ folderName, name }: Place): Promise<Saved> => {
    const saved = await told(() => saveCode(draft, folderName.trim()));
    keep({ ...saved, draft });
    if (name.trim() !== '') keep({ ...(await nameCode(saved, name.trim())), draft });
    tell('Saved. Downloads are free now.');
    return saved;
  };

  return {
    kept,
    isSaved,
    canUpdate,
    /** What was done with this draft last; `null` for nothing. */
    done: done?.draft === draft ? done.text : null,
    obstacles: obstacles(account.plan, scopes),
    saving,
    downloading,
    /** Saves another code. */
    save: (place: Place) => saving.run(async () => void (await saveNew(place))),
    /** Draws the saved code in the design of the draft. */
    update: () =>
      saving.run(async () => {
        if (kept === null) return;
        keep({ ...(await told(() => saveDesign(kept, draft.request))), draft });
        tell('Saved.');
      }),
    /** Downloads a file; a dynamic code is saved before, because that makes its short link. */
    download: (choice: FileChoice, query: string, place: Place) =>
      downloading.run(async () => {
        const { format } = choice;
        const saved = isSaved ? kept : draft.dynamic ? await saveNew(place) : null;
        const file = await told(() =>
          saved === null ? makeFile(draft.request, format, query) : savedFile(saved.id, format, query),
        );
        saveBlob(`${place.name.trim().replace(/[^\p{L}\p{N}]+/gu, '-') || 'code'}.${format}`, file);
        tell('Downloaded.');
      }),
  };
};

/** What `useCode` returns. */
export type CodeActions = ReturnType<typeof useCode>;
