import { useToast } from './toasts.tsx';

/** Copies a text to the clipboard and says whether that worked. */
export const CopyButton = ({ text, label }: { readonly text: string; readonly label: string }) => {
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
    </button>
  );
};
