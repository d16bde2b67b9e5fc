/** Makes, saves and downloads a designed code. */
import { useState } from 'preact/hooks';
import { FORMATS } from '../../../../../workers/lists.ts';
import { toFileStem } from '../../../../texts.ts';
import { api, asFault, ask, askRaw, fileNameOf, ifMatch, postJson, saveBlob } from '../../../api/client.ts';
import type { CodeWithDesign, QrRequest } from '../../../api/shapes.ts';
import { useAction } from '../../../ui/buttons.tsx';
import { useSession } from '../../../ui/hooks.ts';
import { say } from '../../../words/say.ts';
import { keyObstacle } from '../../batches/words.ts';
import { type PrintChoice, toQuery } from '../../print/choice.ts';
import { type Draft, type FieldFault, resize, toFieldFault } from '../draft.ts';

interface Saved {
  readonly id: string;
  readonly folderId: string;
  /** Its short link; `null` when it is not dynamic. */
  readonly shortUrl: string | null;
  /** Of the version that was saved or read. */
  readonly etag: string;
}

const toSaved = ({ id, folder_id: folderId, short_url: shortUrl, etag }: CodeWithDesign): Saved => ({
  id,
  folderId,
  shortUrl,
  etag,
});

/** Makes a file that is not saved, for one unit. @throws {Fault} */
const makeFile = (request: QrRequest, choice: PrintChoice): Promise<Response> => {
  const { width, ...query } = toQuery(choice);
  const sized = width === undefined ? request : resize(request, Number(width));
  const headers = { accept: FORMATS[choice.formats[0]!].mediaType };
  return postJson(`api/v1/qr/file?${new URLSearchParams(query)}`, sized, { headers });
};

/** Returns the file of a saved code, free of charge. @throws {Fault} */
const getSavedFile = (id: string, choice: PrintChoice): Promise<Response> => {
  const query = new URLSearchParams({ format: choice.formats[0]!, ...toQuery(choice) });
  return askRaw(`api/v1/codes/${id}/image?${query}`);
};

const NAME_MAX_BYTES = 60;

/** Returns the name of a file that is not saved: that of the code, or what it says. */
const nameOf = ({ name }: Place, { data }: QrRequest, choice: PrintChoice): string => {
  const words = name.trim() || data.replace(/^https?:\/\//, '').replace(/\/$/, '');
  return `${toFileStem(words, NAME_MAX_BYTES)}.${choice.formats[0]}`;
};

/** Where a code is saved, and under which name; '' for none. */
export interface Place {
  readonly folderName: string;
  readonly name: string;
}

/** Saves a code in a folder, for one unit. @throws {Fault} */
const saveCode = async ({ request, dynamic }: Draft, place: Place): Promise<Saved> => {
  const name = place.name.trim();
  const saved = { folder_name: place.folderName.trim(), ...(name !== '' && { name }) };
  const body = { ...request, ...saved, ...(dynamic && { dynamic }) };
  // The call answers with a picture only to clients that accept one.
  return toSaved((await ask(api.POST('/api/v1/codes', { body }))) as CodeWithDesign);
};

const paramsOf = (code: Saved) => ({ path: { id: code.id }, header: ifMatch(code) });

/** Gives a saved code another design, free of charge, and returns its new version. @throws {Fault} */
const saveDesign = async (code: Saved, { data: _, ...design }: QrRequest): Promise<Saved> => {
  const call = api.PUT('/api/v1/codes/{id}/design', { params: paramsOf(code), body: design });
  return { ...code, etag: (await ask(call)).etag };
};

/** A saved code, and the draft that it was saved from. */
interface Kept extends Saved {
  readonly draft: Draft;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Downloads and saves the current design, and knows whether it is saved. `edited` is the saved code that is being
 * edited, and `begun` its design as it is saved. `onFault` gets the field that the service rejects, or `null`.
 */
export const useCode = (
  draft: Draft,
  edited: CodeWithDesign | null,
  begun: Draft,
  onFault: (fault: FieldFault | null) => void,
) => {
  const { scopes } = useSession();
  const [kept, keep] = useState<Kept | null>(edited && { ...toSaved(edited), draft: begun });
  const [done, setDone] = useState<{ readonly draft: Draft; readonly text: string } | null>(null);
  const saving = useAction();
  const isSaved = kept !== null && isSame(kept.draft, draft);
  // The content of a saved code cannot change, so other content makes another code.
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

  const saveNew = async (place: Place): Promise<Saved> => {
    const saved = await told(() => saveCode(draft, place));
    keep({ ...saved, draft });
    tell(say('Saved. Downloads are free now.'));
    return saved;
  };

  return {
    kept,
    isSaved,
    canUpdate,
    /** What was done with this draft last; `null` for nothing. */
    done: done?.draft === draft ? done.text : null,
    obstacle: keyObstacle(scopes),
    saving,
    /** Saves another code. */
    save: (place: Place) => saving.run(async () => void (await saveNew(place))),
    /** Draws the saved code in the design of the draft. */
    update: () =>
      saving.run(async () => {
        if (kept === null) return;
        keep({ ...(await told(() => saveDesign(kept, draft.request))), draft });
        tell(say('Saved.'));
      }),
    /**
     * Downloads a file, and returns its name; a dynamic code is saved before, because that makes its short link.
     * @throws {Fault}
     */
    download: async (choice: PrintChoice, place: Place): Promise<string> => {
      const saved = isSaved ? kept : draft.dynamic ? await saveNew(place) : null;
      const file = await told(() =>
        saved === null ? makeFile(draft.request, choice) : getSavedFile(saved.id, choice),
      );
      const own = nameOf(place, draft.request, choice);
      const name = saved === null ? own : (fileNameOf(file.headers) ?? own);
      saveBlob(name, await file.blob());
      return name;
    },
  };
};

export type CodeActions = ReturnType<typeof useCode>;
