import { useState } from 'preact/hooks';

/**
 * Returns the text that a person edits, and what sets it. It begins as `value`, and anew whenever `value` changes. An
 * effect would do that after the first keys of a quick hand, and take them back.
 */
export const useDraft = (value: string): readonly [text: string, setText: (text: string) => void] => {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setText(value);
  }
  return [text, setText];
};
