import { useCallback, useEffect, useState } from 'preact/hooks';
import { Router } from 'preact-iso';
import { api, ask, type Fault, onSessionEnd } from '../api/client.ts';
import { screen } from '../base.ts';
import type { Place } from '../frame/navigation.tsx';
import { NotFound } from '../frame/not-found.tsx';
import { TopBar } from '../frame/top-bar.tsx';
import { Main } from '../ui/page.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { asFault } from '../ui/use-load.ts';
import { AccountScreen } from './operator/account.tsx';
import { Accounts } from './operator/accounts.tsx';
import { OperatorSignIn } from './operator/sign-in.tsx';

const PLACES: readonly Place[] = [
  { path: '/operator', name: 'Accounts', icon: 'accounts', also: ['/operator/accounts'] },
];

/** `unknown`: the service has not answered yet. `ended`: the session ran out, or the admin token was changed. */
type SignedIn = 'yes' | 'unknown' | 'nobody' | 'ended';

/** Shows the sign-in form of the operator, or the operator's screens. */
export default function Operator() {
  const [signedIn, setSignedIn] = useState<SignedIn>('unknown');
  const [fault, setFault] = useState<Fault | null>(null);

  const look = useCallback(() => {
    setFault(null);
    ask<object | undefined>(api.GET('/dashboard/operator/session')).then(
      (found) => setSignedIn(found === undefined ? 'nobody' : 'yes'),
      (error: unknown) => setFault(asFault(error)),
    );
  }, []);
  useEffect(() => {
    onSessionEnd(() => setSignedIn((before) => (before === 'yes' ? 'ended' : before)));
    look();
  }, [look]);
  const signOut = () => {
    ask(api.DELETE('/dashboard/operator/session')).then(
      () => setSignedIn('nobody'),
      (error: unknown) => setFault(asFault(error)),
    );
  };

  if (fault !== null) {
    return (
      <Main>
        <Failure fault={fault} retry={look} />
      </Main>
    );
  }
  if (signedIn === 'unknown') return <Loading what="the operator’s screen" />;
  if (signedIn !== 'yes') {
    return <OperatorSignIn hasEnded={signedIn === 'ended'} onSession={() => setSignedIn('yes')} />;
  }
  return (
    <Toasts>
      <TopBar places={PLACES} who="Operator" onSignOut={signOut} />
      <Router>
        <Accounts path={screen('/operator')} />
        <AccountScreen path={screen('/operator/accounts/:id')} />
        <NotFound default />
      </Router>
    </Toasts>
  );
}
