import { api, ask } from '../api/client.ts';
import type { Session } from '../api/shapes.ts';
import { toScreenPath } from '../base.ts';
import { SignInForm } from '../ui/forms/sign-in-form.tsx';

const WORDS: Readonly<Record<number, string>> = {
  400: 'This is not a key. A key begins with tsr_ and is shown once, when it is made.',
  401: 'There is no such key. Check that you copied all of it.',
  403: 'This key may not manage the account. Sign in with one that has the scope “manage”.',
};
const ENDED =
  'Your session has ended: it expired, or its key was revoked. Sign in again to continue where you were.';

interface SignInProps {
  /** Whether the form replaces a screen whose session has ended. */
  readonly hasEnded: boolean;
  readonly onSession: (session: Session) => void;
}

/** Signs a person in with a key of an account. */
export const SignIn = ({ hasEnded, onSession }: SignInProps) => (
  <SignInForm
    label="API key"
    lead="Sign in with an API key that has the scope “manage”."
    notice={hasEnded ? ENDED : null}
    words={WORDS}
    signIn={async (key) => onSession(await ask(api.POST('/dashboard/session', { body: { key } })))}
  >
    <p class="muted small">
      No key yet? The operator of this service can make one for you. A new installation prints one when it
      first starts. Your browser does not store the key.
    </p>
    <p class="muted small">
      Do you run this service? <a href={toScreenPath('/operator')}>Sign in as the operator</a>
    </p>
  </SignInForm>
);
