import { useState } from 'preact/hooks';
import type { Link, RouteChange } from '../../api/shapes.ts';
import { screen } from '../../base.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useAction } from '../../ui/use-action.ts';
import { fromField, toField } from '../links/local-time.ts';
import { faultOfTexts, TimeField, UrlField } from '../links/route-fields.tsx';

/** Asks when a link begins and ends, and where it leads at other times. Passes all of that to `save`. */
export const TimesDialog = ({
  link,
  save,
  onClose,
}: {
  readonly link: Link;
  readonly save: (change: RouteChange) => Promise<void>;
  readonly onClose: () => void;
}) => {
  const [texts, setTexts] = useState({
    from: toField(link.active_from),
    until: toField(link.active_until),
    before: link.before_destination ?? '',
    after: link.after_destination ?? '',
  });
  const { busy, fault, run, clear } = useAction();
  const type = (name: keyof typeof texts) => (text: string) => {
    clear();
    setTexts({ ...texts, [name]: text });
  };
  const problem = faultOfTexts(texts);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      await save({
        active_from: fromField(texts.from),
        active_until: fromField(texts.until),
        before_destination: texts.before || null,
        after_destination: texts.after || null,
      });
      onClose();
    });
  };
  return (
    <Dialog title="Start and end" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <div class="pair-of-fields">
          <TimeField label="Start" text={texts.from} onText={type('from')} />
          <TimeField label="End" text={texts.until} onText={type('until')} />
        </div>
        {(texts.from !== '' || texts.before !== '') && (
          <UrlField label="Address before the start" text={texts.before} onText={type('before')} />
        )}
        {(texts.until !== '' || texts.after !== '') && (
          <UrlField label="Address after the end" text={texts.after} onText={type('after')} />
        )}
        <p class="fault" role="alert">
          {problem ?? (fault && (fault.details || fault.message))}
        </p>
        <p class="muted small">
          Times are those of your time zone. Empty fields set no limit. Where an address is missing, people
          are sent to the <a href={screen('/links')}>address for codes that lead nowhere</a>.
        </p>
        <div class="row">
          <button type="submit" class="primary" disabled={busy || problem !== null}>
            Save
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
};
