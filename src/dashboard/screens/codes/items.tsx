/** Codes of a list, and what can be done with one or with those that are selected. */
import { Fragment } from 'preact';
import { toScreenPath } from '../../api/client.ts';
import type { Code } from '../../api/shapes.ts';
import { Button, Danger, Quiet } from '../../ui/buttons.tsx';
import { count, formatDay, formatNumber } from '../../ui/format.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { labelOf, leadsTo, Thumbnail } from './thumbnail.tsx';
import type { Selection, View } from './toolbar.tsx';

/** What the menu of a code and the selection bar trigger in the list. */
export interface CodeActions {
  /** Asks for a name or a folder, has the pictures read, asks where the short links lead, or which files are wanted. */
  ask(about: 'name' | 'folder' | 'proof' | 'links' | 'files', codes: readonly Code[]): void;
  remove(codes: readonly Code[]): void;
  /** Lists only codes with a tag. */
  filterBy(tag: string): void;
  copyLink(url: string): void;
}

const menuOf = (code: Code, actions: CodeActions): readonly MenuItem[] => [
  { label: 'Rename', run: () => actions.ask('name', [code]) },
  { label: 'Download', run: () => actions.ask('files', [code]) },
  ...(code.short_url === null
    ? []
    : [{ label: 'Copy short link', run: () => actions.copyLink(code.short_url ?? '') }]),
  { label: 'Edit design', href: toScreenPath(`/design?edit=${code.id}`) },
  { label: 'Duplicate', href: toScreenPath(`/design?from=${code.id}`) },
  { label: 'Move to a folder', run: () => actions.ask('folder', [code]) },
  { label: 'Delete', run: () => actions.remove([code]), isDanger: true },
];

interface ItemProps {
  readonly code: Code;
  readonly selection: Selection;
  readonly actions: CodeActions;
}

const Chooser = ({ code, selection }: Pick<ItemProps, 'code' | 'selection'>) => (
  <label class="chooser">
    <input
      type="checkbox"
      aria-label={`Select ${labelOf(code)}`}
      checked={selection.has(code.id)}
      onClick={(event) => selection.choose(code.id, event.currentTarget.checked, event.shiftKey)}
    />
  </label>
);

const scansOf = ({ dynamic, scan_count }: Code): string => (dynamic ? count(scan_count, 'scan') : 'Static');

/** Says below a name where the code leads. A code without a name already shows that above. */
const Detail = ({ code }: { readonly code: Code }) =>
  code.name === null ? null : (
    <span class="muted small clip" title={leadsTo(code)}>
      {leadsTo(code)}
    </span>
  );

/** Further ones are shown as a number. */
const TAGS_SHOWN = 3;

/** Shows the first tags of a code, which filter the list. */
const Tags = ({ code: { tags }, actions }: Pick<ItemProps, 'code' | 'actions'>) =>
  tags.length === 0 ? null : (
    <span class="tags" title={tags.join(', ')}>
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <button
          key={tag}
          type="button"
          class="chip"
          aria-label={`Only codes with the tag ${tag}`}
          onClick={() => actions.filterBy(tag)}
        >
          {tag}
        </button>
      ))}
      {tags.length > TAGS_SHOWN && <span class="muted small">+{tags.length - TAGS_SHOWN}</span>}
    </span>
  );

/** Shows the short link of a dynamic code, and copies it. */
const ShortLink = ({ code: { slug, domain, short_url }, actions }: Pick<ItemProps, 'code' | 'actions'>) => {
  if (short_url === null) return null;
  const shown = domain === null ? `/l/${slug}` : short_url.replace(/^https:\/\//, '');
  return (
    <button
      type="button"
      class="quiet short-link"
      title="Copy the short link"
      aria-label={`Copy ${shown}`}
      onClick={() => actions.copyLink(short_url)}
    >
      {shown}
    </button>
  );
};

/** Lets a long address continue on the next line after its slashes rather than within a word. */
const withBreaks = (text: string) =>
  text.split(/(?<=[/?&=])/).map((part, place) => (
    <Fragment key={place}>
      {part}
      <wbr />
    </Fragment>
  ));

const Tile = ({ code, selection, actions }: ItemProps) => (
  <li class={`tile ${selection.has(code.id) ? 'chosen' : ''}`}>
    <a href={toScreenPath(`/codes/${code.id}`)} title={code.content}>
      <span class="thumb">
        <Thumbnail id={code.id} version={code.slug ?? undefined} />
      </span>
      <span class="content">{withBreaks(labelOf(code))}</span>
    </a>
    <Detail code={code} />
    <Tags code={code} actions={actions} />
    <span class="muted small">{scansOf(code)}</span>
    <Chooser code={code} selection={selection} />
    <Menu label={`Actions for ${labelOf(code)}`} items={menuOf(code, actions)} />
  </li>
);

const Line = ({ code, selection, actions }: ItemProps) => (
  <li class={`line ${selection.has(code.id) ? 'chosen' : ''}`}>
    <Chooser code={code} selection={selection} />
    <span class="thumb">
      <Thumbnail id={code.id} version={code.slug ?? undefined} />
    </span>
    <div class="words">
      <a href={toScreenPath(`/codes/${code.id}`)} class="clip" title={code.content}>
        {labelOf(code)}
      </a>
      <Detail code={code} />
      <Tags code={code} actions={actions} />
    </div>
    <ShortLink code={code} actions={actions} />
    <span class="muted small scans">{scansOf(code)}</span>
    <span class="muted small made">{formatDay(code.created_at)}</span>
    <Menu label={`Actions for ${labelOf(code)}`} items={menuOf(code, actions)} />
  </li>
);

interface ItemsProps extends Omit<ItemProps, 'code'> {
  readonly codes: readonly Code[];
  readonly view: View;
}

export const Items = ({ codes, view, ...each }: ItemsProps) => {
  const Item = view === 'tiles' ? Tile : Line;
  return (
    <ul class={view === 'tiles' ? 'tiles' : 'lines card'}>
      {codes.map((code) => (
        <Item key={code.id} code={code} {...each} />
      ))}
    </ul>
  );
};

/** What one call takes. */
const MAX = 1000;

interface SelectionBarProps {
  /** At least one. */
  readonly chosen: readonly Code[];
  readonly actions: CodeActions;
  readonly onClear: () => void;
}

export const SelectionBar = ({ chosen, actions, onClear }: SelectionBarProps) => {
  const isTooMany = chosen.length > MAX;
  return (
    <section class="selection" aria-label="Selected codes">
      <div class="row">
        <p role="status">
          <strong>{formatNumber(chosen.length)}</strong> selected
          {isTooMany && `: ${formatNumber(MAX)} at most`}
        </p>
        <Quiet onClick={onClear}>Clear</Quiet>
      </div>
      <div class="row actions">
        <Button disabled={isTooMany} onClick={() => actions.ask('folder', chosen)}>
          Move
        </Button>
        <Button disabled={isTooMany} onClick={() => actions.ask('files', chosen)}>
          Download
        </Button>
        <Button disabled={isTooMany} onClick={() => actions.ask('proof', chosen)}>
          Verify
        </Button>
        {chosen.some(({ slug }) => slug !== null) && (
          <Button disabled={isTooMany} onClick={() => actions.ask('links', chosen)}>
            Edit links
          </Button>
        )}
        <Danger disabled={isTooMany} onClick={() => actions.remove(chosen)}>
          Delete
        </Danger>
      </div>
    </section>
  );
};
