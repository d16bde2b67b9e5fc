import { useEffect, useState } from 'preact/hooks';

const PAUSE_MS = 250;

interface SearchProps {
  readonly label: string;
  readonly onSearch: (text: string) => void;
}

/** Shows a search field, which reports its text, trimmed, when the typing pauses for a quarter of a second. */
export const Search = ({ label, onSearch }: SearchProps) => {
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => onSearch(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, onSearch]);
  return (
    <label class="search">
      <span class="hidden">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={text}
        maxLength={100}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </label>
  );
};
