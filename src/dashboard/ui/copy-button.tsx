import { useToast } from './toasts.tsx';

/** Puts a text on the clipboard and says so. */
export const CopyButton = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const toast = useToast();
  const copy = async () => {
    try {
      // Browsers have no clipboard on plain HTTP, save on localhost.
      await navigator.clipboard.writeText(text);
      toast({ text: 'Copied.' });
    } catch {
      toast({ text: `The browser did not let us copy. Select it by hand: ${text}` });
    }
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {label}
    </button>
  );
};
