import { useId } from 'preact/hooks';
import type { Code } from '../../api/shapes.ts';
import { useDraft } from '../../ui/forms/field.tsx';

interface TagFilterProps {
  /** The tag of the list; '': all codes are listed. */
  readonly tag: string;
  /** Tags to choose from. Any other takes effect when it is entered. */
  readonly known: readonly string[];
  readonly onTag: (tag: string) => void;
}

/** Returns the tags of codes, each once, from A to Z. */
export const tagsOf = (codes: readonly Code[]): readonly string[] =>
  [...new Set(codes.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b));

/** Takes the tag by which a list of codes is filtered. */
export const TagFilter = ({ tag, known, onTag }: TagFilterProps) => {
  const id = useId();
  const [text, setText] = useDraft(tag);
  const type = (typed: string): void => {
    setText(typed);
    if (typed === '' || known.includes(typed)) onTag(typed);
  };
  return (
    <label class="search tag-filter">
      <span class="hidden">Tag</span>
      <input
        type="search"
        placeholder="Tag"
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
