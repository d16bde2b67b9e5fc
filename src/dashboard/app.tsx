import { useCallback, useEffect, useState } from 'preact/hooks';
import { LocationProvider, Router, useLocation } from 'preact-iso';
import type { Fault } from './api/client.ts';
import { api, ask, onSessionEnd } from './api/client.ts';
import type { Session } from './api/shapes.ts';
import { screen } from './base.ts';
import { Home } from './screens/home.tsx';
import { NotFound } from './screens/not-found.tsx';
import { SignIn } from './screens/sign-in.tsx';
import { SessionContext } from './session.ts';
import { Mark } from './ui/mark.tsx';
import { Main } from './ui/page.tsx';
import { part } from './ui/part.tsx';
import { Failure, Loading } from './ui/states.tsx';
import { Toasts } from './ui/toasts.tsx';
import { asFault } from './ui/use-load.ts';

const SCREEN = { what: 'this page', frame: Main };
const Codes = part('codes', () => import('./screens/codes.tsx'), SCREEN);
const Folders = part('folders', () => import('./screens/folders.tsx'), SCREEN);
const Folder = part('folder', () => import('./screens/folder.tsx'), SCREEN);
const Labels = part('labels', () => import('./screens/labels.tsx'), SCREEN);
const Code = part('code', () => import('./screens/code.tsx'), SCREEN);
const Links = part('links', () => import('./screens/links.tsx'), SCREEN);
const Bin = part('bin', () => import('./screens/bin.tsx'), SCREEN);
const Designer = part('designer', () => import('./screens/designer.tsx'), SCREEN);
const Import = part('import', () => import('./screens/import.tsx'), SCREEN);
const Batches = part('batches', () => import('./screens/batches.tsx'), SCREEN);
const NewBatch = part('new-batch', () => import('./screens/new-batch.tsx'), SCREEN);
const Batch = part('batch', () => import('./screens/batch.tsx'), SCREEN);
const Keys = part('keys', () => import('./screens/keys.tsx'), SCREEN);

const PLACES = [
  ['', 'Home'],
  ['/codes', 'Codes'],
  ['/folders', 'Folders'],
  ['/design', 'Designer'],
  ['/import', 'Import'],
  ['/batches', 'Batches'],
  ['/keys', 'Keys'],
  ['/bin', 'Bin'],
] as const;

const Navigation = ({
  session,
  onSignOut,
}: {
  readonly session: Session;
  readonly onSignOut: () => void;
}) => {
  const { path } = useLocation();
  const isHere = (place: string) =>
    place === '' ? path.replace(/\/$/, '') === screen() : path.startsWith(screen(place));
  return (
    <header class="top">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <a class="brand" href={screen()}>
        <Mark />
        Tessera
      </a>
      <nav aria-label="Main">
        {PLACES.map(([place, name]) => (
          <a key={place} href={screen(place)} aria-current={isHere(place) ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <div class="who">
        <span>{session.account.name}</span>
        <button type="button" class="quiet" onClick={onSignOut}>
          Sign out
        </button>
      </div>
    </header>
  );
};

const Screens = () => (
  <Router>
    <Home path={screen()} />
    <Codes path={screen('/codes')} />
    <Folders path={screen('/folders')} />
    <Folder path={screen('/folders/:id')} />
    <Labels path={screen('/folders/:id/labels')} />
    <Code path={screen('/codes/:id')} />
    <Designer path={screen('/design')} />
    <Import path={screen('/import')} />
    <Batches path={screen('/batches')} />
    <NewBatch path={screen('/batches/new')} />
    <Batch path={screen('/batches/:id')} />
    <Keys path={screen('/keys')} />
    <Links path={screen('/links')} />
    <Bin path={screen('/bin')} />
    <NotFound default />
  </Router>
);

/** `unknown`: the service has not answered yet. `ended`: the session ran out, or its key was revoked. */
type SignedIn = Session | 'unknown' | 'nobody' | 'ended';

/** Shows the sign-in form, or the navigation and the screen of the current address. */
export const App = () => {
  const [session, setSession] = useState<SignedIn>('unknown');
  const [fault, setFault] = useState<Fault | null>(null);

  const look = useCallback(() => {
    setFault(null);
    ask<Session | undefined>(api.GET('/dashboard/session')).then(
      (found) => setSession(found ?? 'nobody'),
      (error: unknown) => setFault(asFault(error)),
    );
  }, []);
  useEffect(() => {
    onSessionEnd(() => setSession((before) => (typeof before === 'string' ? before : 'ended')));
    look();
  }, [look]);

  const signOut = () => {
    ask(api.DELETE('/dashboard/session')).then(
      () => setSession('nobody'),
      (error: unknown) => setFault(asFault(error)),
    );
  };

  if (fault !== null) {
    return (
      <main class="page">
        <Failure fault={fault} retry={look} />
      </main>
    );
  }
  if (session === 'unknown') return <Loading what="the dashboard" />;
  if (session === 'nobody' || session === 'ended') {
    return <SignIn hasEnded={session === 'ended'} onSession={setSession} />;
  }
  return (
    <SessionContext.Provider value={session}>
      <LocationProvider scope={screen()}>
        <Toasts>
          <Navigation session={session} onSignOut={signOut} />
          <Screens />
        </Toasts>
      </LocationProvider>
    </SessionContext.Provider>
  );
};
