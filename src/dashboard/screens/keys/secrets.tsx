import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, copyText, Danger, useAction } from '../../ui/buttons.tsx';
import { Dialog, Question } from '../../ui/form.tsx';
import { formatMoment } from '../../ui/format.ts';
import { Failure } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';

/** Selects the text of an element, for people whose browser has no clipboard for pages. */
const select = (element: HTMLElement | null): void => {
  if (element !== null) getSelection()?.selectAllChildren(element);
};

interface SecretShownProps {
  /** What it is, as `key`. */
  readonly what: string;
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
      title={say('Your new {what}', { what })}
      isHeld={!mayClose}
      onClose={() => (mayClose ? onDone() : setState('warned'))}
    >
      <p>
        {say('Copy it now: it is shown only this once.')}
        {advice !== undefined && ` ${advice}`}
      </p>
      <div class="stack tight secret">
        <code ref={text} onCopy={() => setState('copied')}>
          {secret}
        </code>
      </div>
      <p class={state === 'warned' ? 'notice' : 'muted small'} role="alert">
        {state === 'warned' &&
          say('You have not copied the {what}. It cannot be shown again later.', { what })}
        {state === 'refused' &&
          say('The browser does not let pages copy. The text is selected: copy it by hand.')}
      </p>
      <div class="row">
        <button type="button" class="primary" ref={button} onClick={() => void copy()}>
          {state === 'copied' ? say('Copied') : say('Copy the {what}', { what })}
        </button>
        <button
          type="button"
          class={state === 'warned' ? 'danger' : 'quiet'}
          onClick={() => (mayClose ? onDone() : setState('warned'))}
        >
          {state === 'warned' ? say('Close without copying') : say('Done')}
        </button>
      </div>
    </Dialog>
  );
};

/** As many as the service allows. */
const SECRETS_MAX = 2;

interface Secret {
  readonly id: string;
  readonly created_at: string;
}

interface SecretListProps {
  readonly secrets: readonly Secret[];
  /** What the texts call a secret, in the list and where it is shown by itself. */
  readonly name: string;
  readonly fullName: string;
  /** The text of the button that makes one, and what is beside it. */
  readonly make: string;
  readonly hint: string;
  /** How many may not be deleted. */
  readonly keptMin: 0 | 1;
  /** What happens when one is deleted. @param shown How the list shows it. */
  consequence(shown: ComponentChildren): ComponentChildren;
  /** Makes one, and returns its text. */
  onMake(): Promise<string>;
  onDelete(id: string): Promise<unknown>;
}

const shortOf = ({ id }: Secret): string => id.slice(0, 8);

/** Lists secrets, at most two at a time, makes another one, and deletes the one that it replaces. */
export const SecretList = ({ secrets, name, keptMin, ...props }: SecretListProps) => {
  const [made, setMade] = useState<string | null>(null);
  const [deleted, setDeleted] = useState<Secret | null>(null);
  const { busy, fault, run } = useAction();
  return (
    <>
      {secrets.length > 0 && (
        <ul class="rows">
          {secrets.map((secret) => (
            <li key={secret.id}>
              <div>
                <code>{shortOf(secret)}…</code>
                <p class="muted">{say('Created {moment}', { moment: formatMoment(secret.created_at) })}</p>
              </div>
              {secrets.length > keptMin && (
                <Danger
                  aria-label={say('Delete the {name} {shortOf}', { name, shortOf: shortOf(secret) })}
                  onClick={() => setDeleted(secret)}
                >
                  {say('Delete')}
                </Danger>
              )}
            </li>
          ))}
        </ul>
      )}
      <div class="row">
        <Button
          disabled={busy || secrets.length >= SECRETS_MAX}
          onClick={() => void run(async () => setMade(await props.onMake()))}
        >
          {props.make}
        </Button>
        <span class="muted">{props.hint}</span>
      </div>
      {fault !== null && <Failure fault={fault} />}
      {made !== null && <SecretShown what={props.fullName} secret={made} onDone={() => setMade(null)} />}
      {deleted !== null && (
        <Question
          title={say('Delete this {name}?', { name })}
          yes={say('Delete the secret')}
          no={say('Keep the secret')}
          act={() => props.onDelete(deleted.id)}
          onClose={() => setDeleted(null)}
        >
          <p>
            {props.consequence(<code>{shortOf(deleted)}…</code>)} {say('This cannot be undone.')}
          </p>
        </Question>
      )}
    </>
  );
};
