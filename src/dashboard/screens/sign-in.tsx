import type { ComponentChildren } from 'preact';
import { api, ask } from '../api/client.ts';
import type { Session } from '../api/shapes.ts';
import type { SignInProps } from '../frame.tsx';
import { linkTo, Quiet, Submit, useAction } from '../ui/buttons.tsx';
import { FaultOf } from '../ui/fields.tsx';
import { Dialog } from '../ui/form.tsx';
import { Mark } from '../ui/page.tsx';
import { LanguageChoice } from '../words/language.tsx';
import { say, sayWith } from '../words/say.ts';

interface SignInFormProps {
  readonly label: string;
  readonly lead: string;
  /** Says why a session has ended, and what to do. */
  readonly ended: string;
  /** Signs out for good, when the form stands over a screen whose session has ended; else `null`. */
  readonly onLeave: (() => void) | null;
  /** What a refusal means here, by its status. */
  readonly words?: Readonly<Record<number, string>>;
  /** Stands below the button, when nobody was signed in. */
  readonly children: ComponentChildren;
  readonly signIn: (secret: string) => Promise<void>;
}

/** A form for one secret, which is sent but not stored in the page. Over a living screen it is a dialog. */
export const SignInForm = ({
  label,
  lead,
  ended,
  onLeave,
  words = {},
  children,
  signIn,
}: SignInFormProps) => {
  const { busy, fault, run } = useAction();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    void run(async () => {
      await signIn(String(new FormData(form).get('secret')).trim());
      form.reset();
    });
  };
  const fields = (
    <>
      <label>
        {label}
        <input name="secret" type="password" autocomplete="off" required aria-describedby="sign-in-fault" />
      </label>
      <FaultOf id="sign-in-fault" text={fault && (words[fault.status] ?? (fault.details || fault.message))} />
      <div class="row">
        <Submit disabled={busy}>{busy ? say('Signing in …') : say('Sign in')}</Submit>
        {onLeave && <Quiet onClick={onLeave}>{say('Sign out')}</Quiet>}
      </div>
    </>
  );
  if (onLeave !== null)
    return (
      <Dialog title={say('Your session has ended')} isHeld onClose={() => {}}>
        <form class="stack" onSubmit={submit}>
          <p>{ended}</p>
          {fields}
        </form>
      </Dialog>
    );
  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
        <h1 class="brand">
          <Mark />
          Tessera
        </h1>
        <p>{lead}</p>
        {fields}
        {children}
      </form>
      <LanguageChoice />
    </main>
  );
};

const WORDS: Readonly<Record<number, string>> = {
  400: say('This is not a key. A key begins with tsr_ and is shown once, when it is made.'),
  401: say('There is no such key. Check that you copied all of it.'),
  403: say('This key does not open the dashboard. Sign in with one that may manage the account.'),
};
const ENDED = say(
  'It expired, or its key was revoked. Sign in again to continue where you were: everything is still here.',
);

export const SignIn = ({ onSession, onLeave }: SignInProps<Session>) => (
  <SignInForm
    label={say('API key')}
    lead={say('Your API key is a text that begins with tsr_. It stands for a name and a password.')}
    ended={ENDED}
    onLeave={onLeave}
    words={WORDS}
    signIn={async (key) => onSession(await ask(api.POST('/dashboard/session', { body: { key } })))}
  >
    <p class="muted small">
      {sayWith(
        'No key yet? Who runs this service makes one for you. If that is you: the first start has printed a key, or written it to the file {file} of the data folder. Your browser does not store the key.',
        { file: <code>demo-key</code> },
      )}
    </p>
    <p class="muted small">
      {sayWith('Do you run this service? <link>Sign in as the operator</link>', {
        link: linkTo('/operator'),
      })}
    </p>
  </SignInForm>
);
