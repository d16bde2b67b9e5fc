import type { ComponentChildren } from 'preact';
import { Danger, Quiet } from './buttons.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './states.tsx';
import { useAction } from './use-action.ts';

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
