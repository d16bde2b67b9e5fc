import { useLocation } from 'preact-iso';
import { api, toScreenPath } from '../../api/client.ts';
import { change } from '../../api/query.ts';
import type { Folder } from '../../api/shapes.ts';
import { useToast } from '../../ui/buttons.tsx';
import { count } from '../../ui/format.ts';
import { say } from '../../words/say.ts';
import { FolderDialog } from './folder-choice.tsx';

interface MoveCodesProps {
  readonly ids: readonly string[];
  readonly onMoved: () => void;
  readonly onClose: () => void;
}

/** Lets a person choose a folder, or make one, and moves codes there. */
export const MoveCodes = ({ ids, onMoved, onClose }: MoveCodesProps) => {
  const { route } = useLocation();
  const toast = useToast();
  const move = async ({ id, name }: Folder): Promise<void> => {
    await change(api.POST('/api/v1/codes/move', { body: { ids: [...ids], folder_id: id } }));
    onMoved();
    toast({
      text: say('{codes} moved to “{name}”.', { codes: count(ids.length, 'code', 'codes'), name }),
      action: { label: say('Open folder'), run: () => route(toScreenPath(`/folders/${id}`)) },
    });
  };
  return (
    <FolderDialog
      title={say('Move {codes}', { codes: count(ids.length, 'code', 'codes') })}
      action={say('Move')}
      onChoose={move}
      onNew={async (name) => move(await change(api.POST('/api/v1/folders', { body: { name } })))}
      onClose={onClose}
    />
  );
};
