import { Button } from './buttons.tsx';
import { useToast } from './toasts.tsx';

/** Copies a text. @throws When the browser refuses. Over plain HTTP it has a clipboard only on localhost. */
export const copyText = async (text: string): Promise<void> => navigator.clipboard.writeText(text);

/** Returns a function that copies a text to the clipboard and says whether that worked. */
export const useCopy = () => {
  const toast = useToast();
  return (text: string): void =>
    void copyText(text).then(
      () => toast({ text: 'Copied.' }),
      () => toast({ text: `The browser refused to copy. Select the text and copy it: ${text}` }),
    );
};

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly about?: string;
}

/** Copies a text to the clipboard. `about` says what is copied, for people who cannot see the context of the button. */
export const CopyButton = ({ text, label, about }: CopyButtonProps) => {
  const copy = useCopy();
  return (
    <Button onClick={() => copy(text)}>
      {label}
      {about && <span class="hidden"> {about}</span>}
    </Button>
  );
};
