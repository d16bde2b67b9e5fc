import { useEffect } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { screen } from '../../base.ts';
import { SignInForm } from '../../ui/forms/sign-in-form.tsx';

const ENDED = 'Your session has ended: it expired, or the admin token was changed. Sign in again.';

/** Signs the operator in with the admin token. */
export const OperatorSignIn = ({
  hasEnded,
  onSession,
}: {
  /** Whether the form replaces a screen whose session has ended. */
  readonly hasEnded: boolean;
  readonly onSession: () => void;
}) => {
  useEffect(() => {
    document.title = 'Operator · Tessera';
  }, []);
  return (
    <SignInForm
      label="Admin token"
      lead="Sign in as the operator to manage accounts."
      notice={hasEnded ? ENDED : null}
      signIn={async (token) => {
        await ask(api.POST('/dashboard/operator/session', { body: { token } }));
        onSession();
      }}
    >
      <p class="muted small">
        The token is the <code>ADMIN_TOKEN</code> of the service. Where none was set, it is in the file{' '}
        <code>admin-token</code> of the data folder. Your browser does not store it.
      </p>
      <p class="muted small">
        You have an account here? <a href={screen()}>Sign in with an API key</a>
      </p>
    </SignInForm>
  );
};
