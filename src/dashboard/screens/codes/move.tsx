import { useLocation } from 'preact-iso';
import { api, toScreenPath } from '../../api/client.ts';
import { change } from '../../api/query.ts';
import type { Folder } from '../../api/shapes.ts';
import { Button, Primary, Quiet, useAction, useToast } from '../../ui/buttons.tsx';
import { Dialog } from '../../ui/form.tsx';
import { count } from '../../ui/format.ts';
import { Failure } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { useFolderChoice } from './folder-choice.tsx';

interface MoveCodesProps {
  readonly ids: readonly string[];
  readonly onMoved: () => void;
  readonly onClose: () => void;
}

/** Lets a person choose a folder, or make one, and moves codes there. */
export const MoveCodes = ({ ids, onMoved, onClose }: MoveCodesProps) => {
  const { route } = useLocation();
  const toast = useToast();
  const { chosen, newName, choice } = useFolderChoice(say('Find or name a folder'));
  const { run, busy, fault } = useAction();
  const move = (find: () => Promise<Folder>): void =>
    void run(async () => {
      const folder = await find();
      await change(api.POST('/api/v1/codes/move', { body: { ids: [...ids], folder_id: folder.id } }));
      onMoved();
      onClose();
      toast({
        text: say('{codes} moved to “{name}”.', {
          codes: count(ids.length, 'code', 'codes'),
          name: folder.name,
        }),
        action: { label: say('Open folder'), run: () => route(toScreenPath(`/folders/${folder.id}`)) },
      });
    });
  const make = (name: string) => change(api.POST('/api/v1/folders', { body: { name } }));

  return (
    <Dialog title={say('Move {codes}', { codes: count(ids.length, 'code', 'codes') })} onClose={onClose}>
      {choice}
      {fault && <Failure fault={fault} />}
      <div class="row">
        <Primary disabled={busy || chosen === null} onClick={() => chosen && move(async () => chosen)}>
          {say('Move')}
        </Primary>
        {newName !== null && (
          <Button disabled={busy} onClick={() => move(() => make(newName))}>
            {say('Move to a new folder “{newName}”', { newName })}
          </Button>
        )}
        <Quiet onClick={onClose}>{say('Cancel')}</Quiet>
      </div>
    </Dialog>
  );
};
