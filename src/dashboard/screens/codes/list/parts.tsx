/** What every list shows of a code, and what can be done with one. */
import { toScreenPath } from '../../../api/client.ts';
import type { Code } from '../../../api/shapes.ts';
import { Menu, type MenuItem } from '../../../ui/menu.tsx';
import type { Selection } from '../../../ui/rows/selection.tsx';
import { say } from '../../../words/say.ts';
import { labelOf, pictureVersion, Thumbnail, thumbnailUrl } from '../thumbnail.tsx';

/** What the menu of a code and the selection bar trigger in the list. */
export interface CodeActions {
  /** Asks for a name, tags or a folder, has the pictures read, asks where the short links lead, or which files are wanted. */
  ask(about: 'name' | 'tags' | 'folder' | 'proof' | 'links' | 'files', codes: readonly Code[]): void;
  remove(codes: readonly Code[]): void;
  /** Lists only codes with a tag. */
  filterBy(tag: string): void;
  copyLink(url: string): void;
}

const menuOf = (code: Code, actions: CodeActions): readonly MenuItem[] => [
  { label: say('Rename'), run: () => actions.ask('name', [code]) },
  { label: say('Download'), run: () => actions.ask('files', [code]) },
  ...(code.short_url === null
    ? []
    : [{ label: say('Copy short link'), run: () => actions.copyLink(code.short_url ?? '') }]),
  { label: say('Edit design'), href: toScreenPath(`/design?edit=${code.id}`) },
  { label: say('Duplicate'), href: toScreenPath(`/design?from=${code.id}`) },
  { label: say('Change tags'), run: () => actions.ask('tags', [code]) },
  { label: say('Move to a folder'), run: () => actions.ask('folder', [code]) },
  { label: say('Delete'), run: () => actions.remove([code]), isDanger: true },
];

export interface ItemProps {
  readonly code: Code;
  readonly selection: Selection<Code>;
  readonly actions: CodeActions;
}

export const Chooser = ({ code, selection }: Pick<ItemProps, 'code' | 'selection'>) => (
  <label class="chooser">
    <input
      type="checkbox"
      aria-label={say('Select {name}', { name: labelOf(code) })}
      checked={selection.has(code)}
      onClick={(event) => selection.choose(code, event.currentTarget.checked, event.shiftKey)}
    />
  </label>
);

export const CodeMenu = ({ code, actions }: Pick<ItemProps, 'code' | 'actions'>) => (
  <Menu label={say('Actions for {name}', { name: labelOf(code) })} items={menuOf(code, actions)} />
);

/** Shows the picture of a code in its present design. */
export const Picture = ({ code }: Pick<ItemProps, 'code'>) => (
  <span class="thumb">
    {code.grade !== null && <Thumbnail src={thumbnailUrl(code.id, pictureVersion(code))} />}
  </span>
);

/** Shows the short link of a dynamic code, and copies it. */
export const ShortLink = ({
  code: { slug, domain, short_url },
  actions,
}: Pick<ItemProps, 'code' | 'actions'>) => {
  if (short_url === null) return null;
  const shown = domain === null ? `/l/${slug}` : short_url.replace(/^https:\/\//, '');
  return (
    <button
      type="button"
      class="quiet short-link"
      title={say('Copy the short link')}
      aria-label={say('Copy {shown}', { shown })}
      onClick={() => actions.copyLink(short_url)}
    >
      {shown}
    </button>
  );
};
