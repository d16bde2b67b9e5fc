/** One dialog for the files of a code, a selection, a folder and a design. */
import { useState } from 'preact/hooks';
import { Quiet, Submit, useAction } from '../../ui/buttons.tsx';
import { Dialog } from '../../ui/form.tsx';
import { Failure } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { faultOf, type PrintChoice } from './choice.ts';
import { PrintSettings, usePrintChoice } from './settings.tsx';
import { type Sample, type Sized, useTrial } from './sized.ts';

interface PrintDialogProps {
  /** Where the choice is remembered. */
  readonly place: string;
  /** The choice of somebody who has made none there; absent: a PNG as designed. */
  readonly beginning?: PrintChoice;
  readonly title: string;
  /** What the choice is tried on; `null` while it is loaded. */
  readonly sample: Sample | null;
  /** Which code that is, among several. */
  readonly about?: string | undefined;
  readonly isGs1: boolean;
  readonly isMany: boolean;
  /** What the button says. */
  readonly action?: string;
  /** What the files cost, or what stands in their way. */
  readonly note?: string | undefined;
  readonly isDisabled?: boolean;
  /** Makes the files, and returns what is to be said. @param sized What is known of the file; `null`: nothing. */
  readonly download: (choice: PrintChoice, sized: Sized | null) => Promise<string>;
  readonly onClose: () => void;
}

export const PrintDialog = (props: PrintDialogProps) => {
  const {
    place,
    title,
    sample,
    about,
    isGs1,
    isMany,
    action = say('Download'),
    note,
    isDisabled,
    onClose,
  } = props;
  const { choice: kept, change } = usePrintChoice(place, props.beginning);
  const choice = isMany ? kept : { ...kept, formats: kept.formats.slice(0, 1) };
  const trial = useTrial(choice, sample);
  const { busy, fault, run, clear } = useAction();
  const [said, setSaid] = useState('');
  const edit = (next: PrintChoice): void => {
    clear();
    setSaid('');
    change(next);
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => setSaid(await props.download(choice, trial.sized)));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" noValidate onSubmit={submit}>
        <PrintSettings
          choice={choice}
          trial={trial}
          about={about}
          isGs1={isGs1}
          isMany={isMany}
          onChoice={edit}
        />
        {fault && <Failure fault={fault} />}
        <div class="row">
          <Submit disabled={busy || isDisabled || faultOf(choice) !== null || trial.fault !== null}>
            {busy ? say('Preparing …') : action}
          </Submit>
          <Quiet onClick={onClose}>{say('Close')}</Quiet>
        </div>
        <p class="muted small" role="status">
          {said || note}
        </p>
      </form>
    </Dialog>
  );
};
