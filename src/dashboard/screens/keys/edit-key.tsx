import { useState } from 'preact/hooks';
import { refresh } from '../../api/query.ts';
import type { Key } from '../../api/shapes.ts';
import { NameInput } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { type Bounds, BoundsInputs, changedBounds, draftOf } from './bounds.tsx';

/** What changes about a key. */
export type KeyChange = Bounds & { readonly name?: string };

interface EditKeyProps {
  readonly edited: Key;
  readonly save: (id: string, change: KeyChange) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Changes the name and the bounds of a key in a dialog. */
export const EditKey = ({ edited, save, onClose }: EditKeyProps) => {
  const toast = useToast();
  const before = draftOf(edited);
  const [name, setName] = useState(edited.name);
  const [draft, setDraft] = useState(before);
  const change: KeyChange = {
    ...(name.trim() === edited.name ? {} : { name: name.trim() }),
    ...changedBounds(draft, before),
  };
  const submit = async (): Promise<void> => {
    await save(edited.id, change);
    toast({ text: 'Saved. It applies within a second.' });
    refresh();
  };
  return (
    <FormDialog
      title={`Edit “${edited.name}”`}
      action="Save"
      isReady={name.trim() !== '' && Object.keys(change).length > 0}
      submit={submit}
      onClose={onClose}
    >
      {(aria) => (
        <>
          <NameInput value={name} required onText={setName} {...aria} />
          <BoundsInputs draft={draft} onDraft={setDraft} isSandbox={edited.sandbox} />
        </>
      )}
    </FormDialog>
  );
};
