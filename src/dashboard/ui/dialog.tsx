import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

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
