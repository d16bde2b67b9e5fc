import { useToast } from './toasts.tsx';

/** Copies a text to the clipboard and says whether that worked. */
export const CopyButton = ({
  text,
  label,
  about,
}: {
  readonly text: string;
  readonly label: string;
  /** What is copied, for those who do not see where the button stands. */
  readonly about?: string;
}) => {
  const toast = useToast();
  const copy = async () => {
    try {
      // Browsers offer no clipboard over plain HTTP, except on localhost.
      await navigator.clipboard.writeText(text);
      toast({ text: 'Copied.' });
    } catch {
      toast({ text: `The browser refused to copy. Select the text and copy it: ${text}` });
    }
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {label}
      {about && <span class="hidden"> {about}</span>}
    </button>
  );
};
