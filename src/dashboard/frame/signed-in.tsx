import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { asFault, type Fault, onSessionEnd } from '../api/client.ts';
import { cache } from '../api/query.ts';
import { Main } from '../ui/page.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { Toasts } from '../ui/toasts.tsx';
import type { Place } from './navigation.tsx';
import { TopBar } from './top-bar.tsx';

/** `unknown`: the service has not answered yet. `ended`: the session ran out, or what it began with was revoked. */
type State<T> = { readonly session: T } | 'unknown' | 'nobody' | 'ended';

interface SignedInProps<T> {
  /** What is loaded, as error messages call it. */
  readonly what: string;
  readonly places: readonly Place[];
  readonly whoOf: (session: T) => string;
  /** Returns the session; `undefined` when there is none. */
  readonly look: () => Promise<T | undefined>;
  /** Signs out. */
  readonly end: () => Promise<unknown>;
  /** `hasEnded`: the form replaces a screen whose session has ended. */
  readonly form: (hasEnded: boolean, onSession: (session: T) => void) => ComponentChildren;
  readonly children: (session: T) => ComponentChildren;
}

/** Shows a sign-in form or, to those who are signed in, the navigation and the screen of the current address. */
export const SignedIn = <T,>({ what, places, whoOf, look, end, form, children }: SignedInProps<T>) => {
  const [state, setState] = useState<State<T>>('unknown');
  const [fault, setFault] = useState<Fault | null>(null);
  const show = (next: State<T>): void => {
    // Nobody sees what another account has read.
    cache.clear();
    setState(next);
  };
  const fail = (error: unknown): void => setFault(asFault(error));
  const ask = (): void => {
    setFault(null);
    look().then((session) => show(session === undefined ? 'nobody' : { session }), fail);
  };
  useEffect(() => {
    onSessionEnd(() => setState((before) => (typeof before === 'string' ? before : 'ended')));
    ask();
  }, []);
  const signOut = () => end().then(() => show('nobody'), fail);

  if (fault !== null)
    return (
      <Main>
        <Failure fault={fault} retry={ask} />
      </Main>
    );
  if (state === 'unknown') return <Loading what={what} />;
  if (typeof state === 'string') return <>{form(state === 'ended', (session) => show({ session }))}</>;
  return (
    <Toasts>
      <TopBar places={places} who={whoOf(state.session)} onSignOut={() => void signOut()} />
      {children(state.session)}
    </Toasts>
  );
};
