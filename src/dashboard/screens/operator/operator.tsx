import { useEffect } from 'preact/hooks';
import { Router } from 'preact-iso';
import { api, ask } from '../../api/client.ts';
import { toScreenPath } from '../../base.ts';
import { NotFound, type Place, SignedIn } from '../../frame.tsx';
import { SignInForm } from '../sign-in.tsx';
import { AccountScreen } from './account.tsx';
import { Accounts } from './accounts.tsx';

const PLACES: readonly Place[] = [
  { path: '/operator', name: 'Accounts', icon: 'accounts', also: ['/operator/accounts'] },
];

const ENDED = 'Your session has ended: it expired, or the admin token was changed. Sign in again.';

interface SignInProps {
  readonly hasEnded: boolean;
  readonly onSession: (session: object) => void;
}

/** Signs the operator in with the admin token. */
const SignIn = ({ hasEnded, onSession }: SignInProps) => {
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
        onSession({});
      }}
    >
      <p class="muted small">
        The token is the <code>ADMIN_TOKEN</code> of the service. If none was set, it is in the file{' '}
        <code>admin-token</code> of the data folder. Your browser does not store it.
      </p>
      <p class="muted small">
        Do you have an account here? <a href={toScreenPath()}>Sign in with an API key</a>
      </p>
    </SignInForm>
  );
};

/** Shows the sign-in form of the operator, or the operator's screens. */
export default function Operator() {
  return (
    <SignedIn
      what="the operator’s screen"
      places={PLACES}
      whoOf={() => 'Operator'}
      look={() => ask<object | undefined>(api.GET('/dashboard/operator/session'))}
      end={() => ask(api.DELETE('/dashboard/operator/session'))}
      form={(hasEnded, onSession) => <SignIn {...{ hasEnded, onSession }} />}
    >
      {() => (
        <Router>
          <Accounts path={toScreenPath('/operator')} />
          <AccountScreen path={toScreenPath('/operator/accounts/:id')} />
          <NotFound default />
        </Router>
      )}
    </SignedIn>
  );
}
