/** Tags of the rows of a list, and the filter by one of them. */
import { useId } from 'preact/hooks';
import { say } from '../../words/say.ts';
import { useFollowing } from '../fields.tsx';

/** Returns the tags of rows, each once, from A to Z. */
export const tagsOf = (rows: readonly { readonly tags: readonly string[] }[]): readonly string[] =>
  [...new Set(rows.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b));

interface TagFilterProps {
  /** The tag of the list; '': all rows are listed. */
  readonly tag: string;
  /** Tags to choose from. Any other takes effect when it is entered. */
  readonly known: readonly string[];
  /** `narrow`: it stands among fields, with its label above it. */
  readonly look?: 'narrow';
  readonly onTag: (tag: string) => void;
}

/** Takes the tag by which a list is filtered. */
export const TagFilter = ({ tag, known, look, onTag }: TagFilterProps) => {
  const id = useId();
  const [text, setText] = useFollowing(tag);
  const type = (typed: string): void => {
    setText(typed);
    if (typed === '' || known.includes(typed)) onTag(typed);
  };
  return (
    <label class={look ?? 'search tag-filter'}>
      <span class={look === undefined ? 'hidden' : ''}>{say('Tag')}</span>
      <input
        type="search"
        placeholder={look === undefined ? say('Tag') : undefined}
        list={id}
        value={text}
        maxLength={64}
        onInput={(event) => type(event.currentTarget.value)}
        onChange={() => onTag(text.trim())}
      />
      <datalist id={id}>
        {known.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </label>
  );
};

/** Further ones are shown as a number. */
const TAGS_SHOWN = 3;

interface TagsProps {
  readonly tags: readonly string[];
  /** What the list has. */
  readonly what: string;
  readonly onTag: (tag: string) => void;
}

/** Shows the first tags of a row, which filter the list. */
export const Tags = ({ tags, what, onTag }: TagsProps) =>
  tags.length === 0 ? null : (
    <span class="tags" title={tags.join(', ')}>
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <button
          key={tag}
          type="button"
          class="chip"
          aria-label={say('Only {what} with the tag {tag}', { what, tag })}
          onClick={() => onTag(tag)}
        >
          {tag}
        </button>
      ))}
      {tags.length > TAGS_SHOWN && <span class="muted small">+{tags.length - TAGS_SHOWN}</span>}
    </span>
  );
