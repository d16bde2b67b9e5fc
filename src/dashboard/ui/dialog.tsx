import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Danger, Quiet, useAction } from './buttons.tsx';
import { Failure } from './states.tsx';

interface DialogProps {
  readonly title: string;
  readonly isHeld?: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/**
 * Shows a modal dialog as long as it is rendered, and then restores the focus. Escape and a click on the backdrop
 * call `onClose`. While it `isHeld`, the dialog stays open after that.
 */
export const Dialog = ({ title, isHeld = false, onClose, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      // Only a dialog that is closed returns the focus to what opened it.
      isGone.current = true;
      dialog?.close();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog by itself
    <dialog
      ref={element}
      aria-label={title}
      onClose={() => !isGone.current && onClose()}
      onCancel={(event) => {
        if (!isHeld) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === element.current && onClose()}
    >
      <div class="dialog-body">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  );
};

interface QuestionProps {
  readonly title: string;
  /** Label of the button that confirms. */
  readonly yes: string;
  readonly no?: string;
  readonly act: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Asks before something is done that somebody may regret, and closes when it is done. */
export const Question = ({ title, yes, no = 'Cancel', act, onClose, children }: QuestionProps) => {
  const { busy, fault, run } = useAction();
  const doIt = async (): Promise<void> => {
    await act();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {fault && <Failure fault={fault} />}
      <div class="row">
        <Danger disabled={busy} onClick={() => void run(doIt)}>
          {yes}
        </Danger>
        <Quiet onClick={onClose}>{no}</Quiet>
      </div>
    </Dialog>
  );
};
