import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Shows a modal dialog as long as it is rendered. Escape and a click on the backdrop call `onClose`. */
export const Dialog = ({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) => {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog by itself
    <dialog
      ref={element}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === element.current && onClose()}
    >
      <div class="dialog-body">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  );
};
