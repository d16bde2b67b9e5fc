/** What can be done with a folder, in the list of folders and on its own screen. */
import { useState } from 'preact/hooks';
import type { Folder } from '../../api/shapes.ts';
import { useAction } from '../../ui/buttons.tsx';
import { count } from '../../ui/format.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { Failure } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { PrintFolder } from '../print/codes.tsx';
import { changeFolder, RenameFolder, useDeletion } from './edit.tsx';

/**
 * Returns actions of folders. `dialogs` must be shown: they ask, and say what failed.
 *
 * @param leave As for `useDeletion`.
 */
export const useFolderActions = (leave?: () => void) => {
  const [asked, ask] = useState<{ readonly about: 'name' | 'files'; readonly folder: Folder } | null>(null);
  const { remove, question } = useDeletion(leave);
  const { run, fault } = useAction();
  const close = (): void => ask(null);
  const rename = (folder: Folder): void => ask({ about: 'name', folder });
  const download = (folder: Folder): void => ask({ about: 'files', folder });
  const keep = (folder: Folder): MenuItem => ({
    label: folder.keep ? say('Let old codes expire') : say('Keep for ever'),
    run: () => void run(() => changeFolder(folder, { keep: !folder.keep })),
  });
  const deletion = (folder: Folder): MenuItem => ({
    label: say('Delete'),
    isDanger: true,
    run: () =>
      void remove({
        kind: 'folder',
        ...folder,
        what: say('“{name}” and its {codes}', {
          name: folder.name,
          codes: count(folder.code_count, 'code', 'codes'),
        }),
      }),
  });
  const dialogs = (
    <>
      {question}
      {fault && <Failure fault={fault} />}
      {asked?.about === 'name' && <RenameFolder folder={asked.folder} onClose={close} />}
      {asked?.about === 'files' && <PrintFolder folder={asked.folder} onClose={close} />}
    </>
  );
  return { rename, download, keep, deletion, dialogs };
};
