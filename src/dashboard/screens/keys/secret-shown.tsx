import { useEffect, useRef, useState } from 'preact/hooks';
import { copyText } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

/** Selects the text of an element, for people whose browser has no clipboard for pages. */
const select = (element: HTMLElement | null): void => {
  if (element !== null) getSelection()?.selectAllChildren(element);
};

interface SecretShownProps {
  readonly what: 'key' | 'signing secret' | 'webhook secret';
  /** What it is for. */
  readonly advice?: string;
  readonly secret: string;
  readonly onDone: () => void;
}

/** Shows a new secret in a dialog, which asks before it closes uncopied: the secret cannot be shown again. */
export const SecretShown = ({ what, advice, secret, onDone }: SecretShownProps) => {
  const [state, setState] = useState<'new' | 'copied' | 'refused' | 'warned'>('new');
  const button = useRef<HTMLButtonElement>(null);
  const text = useRef<HTMLElement>(null);
  const mayClose = state === 'copied' || state === 'warned';
  useEffect(() => button.current?.focus(), []);
  const copy = () =>
    copyText(secret).then(
      () => setState('copied'),
      () => {
        select(text.current);
        setState('refused');
      },
    );
  return (
    <Dialog
      title={`Your new ${what}`}
      isHeld={!mayClose}
      onClose={() => (mayClose ? onDone() : setState('warned'))}
    >
      <p>
        Copy it now: it is shown only this once.
        {advice !== undefined && ` ${advice}`}
      </p>
      <div class="secret">
        <code ref={text} onCopy={() => setState('copied')}>
          {secret}
        </code>
      </div>
      <p class={state === 'warned' ? 'notice' : 'muted small'} role="alert">
        {state === 'warned' && `You have not copied the ${what}. It cannot be shown again later.`}
        {state === 'refused' && 'The browser does not let pages copy. The text is selected: copy it by hand.'}
      </p>
      <div class="row">
        <button type="button" class="primary" ref={button} onClick={() => void copy()}>
          {state === 'copied' ? 'Copied' : `Copy the ${what}`}
        </button>
        <button
          type="button"
          class={state === 'warned' ? 'danger' : 'quiet'}
          onClick={() => (mayClose ? onDone() : setState('warned'))}
        >
          {state === 'warned' ? 'Close without copying' : 'Done'}
        </button>
      </div>
    </Dialog>
  );
};
