/** Renames, deletes and restores codes and folders. */
import { useState } from 'preact/hooks';
import { api, ask, ifMatch } from '../../api/client.ts';
import { change, refresh } from '../../api/query.ts';
import type { Code, Folder, LinksSummary } from '../../api/shapes.ts';
import { useAction, useToast } from '../../ui/buttons.tsx';
import { NameDialog, Question } from '../../ui/form.tsx';
import { count } from '../../ui/format.ts';
import { Failure } from '../../ui/states.tsx';
import { say, sayWith } from '../../words/say.ts';

/** Changes a folder. @throws {Fault} */
export const changeFolder = (
  folder: Folder,
  body: { readonly name?: string; readonly keep?: boolean; readonly domain?: string | null },
) => {
  const params = { path: { id: folder.id }, header: ifMatch(folder) };
  return change(api.PATCH('/api/v1/folders/{id}', { params, body }));
};

export const RenameFolder = ({
  folder,
  onClose,
}: {
  readonly folder: Folder;
  readonly onClose: () => void;
}) => (
  <NameDialog
    title={say('Rename the folder')}
    name={folder.name}
    action={say('Rename')}
    save={(name) => changeFolder(folder, { name })}
    onClose={onClose}
  />
);

const renameCode = (code: Code, text: string) => {
  const params = { path: { id: code.id }, header: ifMatch(code) };
  return change(
    api.PATCH('/api/v1/codes/{id}', { params, body: { name: text.trim() === '' ? null : text } }),
  );
};

/** Asks for the name of a code; an empty one removes it. */
export const RenameCode = ({ code, onClose }: { readonly code: Code; readonly onClose: () => void }) => (
  <NameDialog
    title={say('Rename the code')}
    name={code.name ?? ''}
    action={say('Rename')}
    mayBeEmpty
    save={(name) => renameCode(code, name)}
    onClose={onClose}
  />
);

/** A folder, or codes, and what people call them. */
type Deletable = { readonly what: string } & (
  | { readonly kind: 'folder'; readonly id: string; readonly etag: string }
  | { readonly kind: 'codes'; readonly ids: readonly string[] }
);

const deleteThem = async (thing: Deletable): Promise<void> => {
  if (thing.kind === 'folder') {
    const params = { path: { id: thing.id }, header: ifMatch(thing) };
    await ask(api.DELETE('/api/v1/folders/{id}', { params }));
  } else await ask(api.POST('/api/v1/codes/delete', { body: { ids: [...thing.ids] } }));
};

/** Brings back from the bin what `deleteThem` moved there. */
const restoreThem = async (thing: Deletable): Promise<void> => {
  if (thing.kind === 'folder') await restore('folders', thing.id);
  else await change(api.POST('/api/v1/codes/restore', { body: { ids: [...thing.ids] } }));
};

export const restore = (kind: 'folders' | 'codes', id: string): Promise<{ readonly id: string }> =>
  kind === 'folders'
    ? change(api.POST('/api/v1/folders/{id}/restore', { params: { path: { id } } }))
    : change(api.POST('/api/v1/codes/{id}/restore', { params: { path: { id } } }));

/** Returns what is known of the short links that a deletion would stop. */
const linksOf = (thing: Deletable): Promise<LinksSummary> =>
  thing.kind === 'folder'
    ? ask(api.GET('/api/v1/folders/{id}/links-summary', { params: { path: { id: thing.id } } }))
    : ask(api.POST('/api/v1/codes/links-summary', { body: { ids: [...thing.ids] } }));

/** Says in words what a deletion stops. */
const scansOf = ({ links, people, bots, previews }: LinksSummary): string => {
  const others =
    bots + previews === 0
      ? ''
      : say(', and bots and previews {times}', { times: count(bots + previews, 'time', 'times') });
  return people === 0
    ? say(
        {
          one: 'In the last 30 days, nobody scanned it.',
          other: 'In the last 30 days, nobody scanned them.',
        },
        { n: links },
      )
    : say(
        {
          one: 'It had {scans} by people in the last 30 days{others}.',
          other: 'They had {scans} by people in the last 30 days{others}.',
        },
        { n: links, scans: count(people, 'scan', 'scans'), others },
      );
};

/**
 * Moves folders and codes to the bin and offers to undo that. When short links that work would stop, it asks before.
 * `question` must be shown: it asks, and says what failed.
 *
 * @param leave Called when a list or a screen has lost what was deleted. By default it is read again.
 */
export const useDeletion = (leave: () => void = refresh) => {
  const toast = useToast();
  const { run, fault } = useAction();
  const [asked, setAsked] = useState<{ thing: Deletable; summary: LinksSummary } | null>(null);

  const removeNow = async (thing: Deletable): Promise<void> => {
    await deleteThem(thing);
    leave();
    // The button that had the focus disappears with its folder or code.
    document.querySelector('h1')?.focus();
    const undo = () =>
      void run(async () => {
        await restoreThem(thing);
        toast({ text: say('{what}: restored.', { what: thing.what }) });
        leave();
      });
    toast({
      text: say('{what}: moved to the bin for 30 days.', { what: thing.what }),
      action: { label: say('Undo'), run: undo },
    });
  };
  const remove = (thing: Deletable): Promise<void> =>
    run(async () => {
      const summary = await linksOf(thing);
      if (summary.links > 0) setAsked({ thing, summary });
      else await removeNow(thing);
    });
  const confirm = (thing: Deletable): void => {
    setAsked(null);
    void run(() => removeNow(thing));
  };

  const question = (
    <>
      {fault && <Failure fault={fault} />}
      {asked && (
        <Question
          title={say('Delete {what}?', { what: asked.thing.what })}
          yes={say('Delete')}
          act={async () => confirm(asked.thing)}
          onClose={() => setAsked(null)}
        >
          <p>
            {sayWith(
              {
                one: '{links} works now and will stop at once, even on what is already printed.',
                other: '{links} work now and will stop at once, even on what is already printed.',
              },
              {
                n: asked.summary.links,
                links: <strong>{count(asked.summary.links, 'short link', 'short links')}</strong>,
              },
            )}{' '}
            {scansOf(asked.summary)}
          </p>
          <p class="muted">{say('You can restore everything from the bin for 30 days.')}</p>
        </Question>
      )}
    </>
  );
  return { remove, question };
};
