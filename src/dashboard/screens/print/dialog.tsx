/** One dialog for the files of a code, a selection, a folder and a design. */
import { useState } from 'preact/hooks';
import { Quiet, Submit, useAction } from '../../ui/buttons.tsx';
import { Dialog } from '../../ui/form.tsx';
import { say } from '../../words/say.ts';
import { faultOf, type PrintChoice } from './choice.ts';
import { PrintSettings, Result, usePrintChoice } from './settings.tsx';
import { type Sample, type Sized, type Trial, useTrial } from './sized.ts';

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
  /** The address of a picture of the design; absent: that of the file is there. */
  readonly picture?: string | null;
  /** What captions may say of each code. */
  readonly names: readonly string[];
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

interface PictureProps {
  readonly trial: Pick<Trial, 'picture' | 'fault'>;
  /** As in `PrintDialogProps`. */
  readonly picture?: string | null | undefined;
}

/** Shows what comes of a choice, as it was drawn last. */
export const Picture = ({ trial, picture = null }: PictureProps) => {
  const shown = trial.picture ?? picture;
  return (
    <div class={`stage ${trial.fault === null ? '' : 'stale'}`}>
      {shown === null ? (
        <p class="muted">{say('Drawing …')}</p>
      ) : (
        <img src={shown} alt={say('Preview of the file')} />
      )}
    </div>
  );
};

export const PrintDialog = (props: PrintDialogProps) => {
  const {
    place,
    title,
    sample,
    about,
    picture,
    names,
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
      <form class="print-form" noValidate onSubmit={submit}>
        <PrintSettings
          choice={choice}
          refusal={trial.fault ?? fault}
          names={names}
          isGs1={isGs1}
          isMany={isMany}
          onChoice={edit}
        />
        <div class="print-side">
          <Picture trial={trial} picture={picture} />
          <Result choice={choice} trial={trial} about={about} />
        </div>
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
