import type { ComponentChildren } from 'preact';
import type { Fault } from '../../api/client.ts';
import { Dialog } from '../dialog.tsx';
import { Failure } from '../states.tsx';

/** A dialog that makes something of what is typed into it. Escape and Cancel close it. */
export const FormDialog = ({
  title,
  action,
  isReady,
  fault,
  onSubmit,
  onClose,
  children,
}: {
  readonly title: string;
  /** What the button says that submits. */
  readonly action: string;
  /** Whether it can be submitted. */
  readonly isReady: boolean;
  /** Why it could not be made the last time. */
  readonly fault: Fault | null;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** The fields. */
  readonly children: ComponentChildren;
}) => (
  <Dialog title={title} onClose={onClose}>
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {fault !== null && <Failure fault={fault} />}
      <div class="row">
        <button type="submit" class="primary" disabled={!isReady}>
          {action}
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  </Dialog>
);
