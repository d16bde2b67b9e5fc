/** Buttons, the actions that they start, and the messages that tell how these went. */
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useCallback, useContext, useState } from 'preact/hooks';
import { asFault, type Fault, toScreenPath } from '../api/client.ts';
import { Taken } from '../api/send.ts';
import { say } from '../words/say.ts';

interface ButtonProps extends Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, 'about'> {
  /** What the button is about, for people who do not see what stands beside it. */
  readonly about?: string | undefined;
}
type LinkProps = JSX.AnchorHTMLAttributes<HTMLAnchorElement>;

const makeButton =
  (type: 'button' | 'submit', look: string) =>
  ({ about, children, ...props }: ButtonProps) => (
    <button type={type} class={look} {...props}>
      {children}
      {about && <span class="hidden"> {about}</span>}
    </button>
  );

export const Button = makeButton('button', '');
/** The button for what a person most likely wants. */
export const Primary = makeButton('button', 'primary');
/** A less prominent button. */
export const Quiet = makeButton('button', 'quiet');
/** A button whose effect somebody may regret. */
export const Danger = makeButton('button', 'danger');
/** The button that sends its form. */
export const Submit = makeButton('submit', 'primary');
export const ButtonLink = (props: LinkProps) => <a class="button" {...props} />;
export const PrimaryLink = (props: LinkProps) => <a class="button primary" {...props} />;
/** Returns what makes words of `sayWith` a link to a screen. */
export const linkTo = (path?: string) => (words: string) => <a href={toScreenPath(path)}>{words}</a>;

/**
 * Runs the actions that a person triggers, one at a time. `busy` says whether an action runs, and `fault` why the last
 * one failed.
 */
export const useAction = () => {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const run = async (action: () => Promise<unknown>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFault(null);
    try {
      await action();
    } catch (error) {
      if (!(error instanceof Taken)) setFault(asFault(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, fault, run, clear: () => setFault(null) };
};

interface Toast {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

const SHOWN_MS = 8000;

const ToastContext = createContext<(toast: Toast) => void>(() => {});

export const useToast = (): ((toast: Toast) => void) => useContext(ToastContext);

/** Makes `useToast` work in its children, and shows at most three toasts for 8 seconds each. */
export const Toasts = ({ children }: { readonly children: ComponentChildren }) => {
  const [shown, setShown] = useState<readonly (Toast & { readonly id: number })[]>([]);
  const show = useCallback((toast: Toast) => {
    const id = performance.now();
    setShown((toasts) => [...toasts.slice(-2), { ...toast, id }]);
    setTimeout(() => setShown((toasts) => toasts.filter((other) => other.id !== id)), SHOWN_MS);
  }, []);
  const end = (id: number) => setShown((toasts) => toasts.filter((other) => other.id !== id));
  return (
    <ToastContext.Provider value={show}>
      {children}
      <div class="toasts" role="status">
        {shown.map(({ id, text, action }) => (
          <p key={id} class="toast">
            {text}
            {action && (
              <button
                type="button"
                onClick={() => {
                  end(id);
                  action.run();
                }}
              >
                {action.label}
              </button>
            )}
          </p>
        ))}
      </div>
    </ToastContext.Provider>
  );
};

/**
 * Returns a function that says that a change was made and, when there is what undoes it, offers that.
 *
 * @param undone What an undone change leaves.
 */
export const useUndoable = <T,>(undone: string, undo: (by: T) => Promise<unknown>) => {
  const toast = useToast();
  return (said: string, by: T | null): void => {
    const run = (id: T) =>
      void undo(id).then(
        () => toast({ text: say('Undone. {undone}', { undone }) }),
        (error: unknown) =>
          toast({
            text: say('The change could not be undone. {message}', { message: asFault(error).message }),
          }),
      );
    toast({ text: said, ...(by !== null && { action: { label: say('Undo'), run: () => run(by) } }) });
  };
};

/** Copies a text. @throws When the browser refuses. Over plain HTTP it has a clipboard only on localhost. */
export const copyText = async (text: string): Promise<void> => navigator.clipboard.writeText(text);

/** Returns a function that copies a text to the clipboard and says whether that worked. */
export const useCopy = () => {
  const toast = useToast();
  return (text: string): void =>
    void copyText(text).then(
      () => toast({ text: say('Copied.') }),
      () =>
        toast({ text: say('The browser refused to copy. Select the text and copy it: {text}', { text }) }),
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
    <Button about={about} onClick={() => copy(text)}>
      {label}
    </Button>
  );
};
