import { QueryClientProvider } from '@tanstack/preact-query';
import { LocationProvider, Router, useLocation } from 'preact-iso';
import { api, ask } from './api/client.ts';
import { cache } from './api/query.ts';
import type { Session } from './api/shapes.ts';
import { screen } from './base.ts';
import type { Place } from './frame/navigation.tsx';
import { NotFound } from './frame/not-found.tsx';
import { SignedIn } from './frame/signed-in.tsx';
import { Home } from './screens/home.tsx';
import { SignIn } from './screens/sign-in.tsx';
import { SessionContext } from './session.ts';
import { Main } from './ui/page.tsx';
import { part } from './ui/part.tsx';

const SCREEN = { what: 'this page', frame: Main };
const Codes = part('codes', () => import('./screens/codes.tsx'), SCREEN);
const Folders = part('folders', () => import('./screens/folders.tsx'), SCREEN);
const Folder = part('folder', () => import('./screens/folder.tsx'), SCREEN);
const Labels = part('labels', () => import('./screens/labels.tsx'), SCREEN);
const Code = part('code', () => import('./screens/code.tsx'), SCREEN);
const Links = part('links', () => import('./screens/links.tsx'), SCREEN);
const Resolver = part('resolver', () => import('./screens/resolver/resolver.tsx'), SCREEN);
const ResolverItem = part('resolver-item', () => import('./screens/resolver/resolver-item.tsx'), SCREEN);
const Bin = part('bin', () => import('./screens/bin.tsx'), SCREEN);
const Designer = part('designer', () => import('./screens/designer.tsx'), SCREEN);
const Import = part('import', () => import('./screens/import.tsx'), SCREEN);
const Batches = part('batches', () => import('./screens/batches.tsx'), SCREEN);
const NewBatch = part('new-batch', () => import('./screens/new-batch.tsx'), SCREEN);
const Batch = part('batch', () => import('./screens/batch.tsx'), SCREEN);
const Counters = part('counters', () => import('./screens/batches/counters/counters.tsx'), SCREEN);
const Keys = part('keys', () => import('./screens/keys.tsx'), SCREEN);
const Embedding = part('embedding', () => import('./screens/keys/embedding.tsx'), SCREEN);
const Webhooks = part('webhooks', () => import('./screens/webhooks/webhooks.tsx'), SCREEN);
const Webhook = part('webhook', () => import('./screens/webhooks/webhook.tsx'), SCREEN);
const Operator = part('operator', () => import('./screens/operator.tsx'), SCREEN);

const PLACES: readonly Place[] = [
  { path: '', name: 'Home', icon: 'home' },
  { path: '/codes', name: 'Codes', icon: 'codes' },
  { path: '/folders', name: 'Folders', icon: 'folder' },
  { path: '/design', name: 'Designer', icon: 'designer' },
  { path: '/import', name: 'Import', icon: 'import' },
  { path: '/batches', name: 'Batches', icon: 'batches' },
  { path: '/links', name: 'Links', icon: 'links' },
  { path: '/keys', name: 'Keys', icon: 'key' },
  { path: '/bin', name: 'Bin', icon: 'bin' },
];

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
    <Counters path={screen('/batches/counters')} />
    <Batch path={screen('/batches/:id')} />
    <Keys path={screen('/keys')} />
    <Embedding path={screen('/keys/embedding')} />
    <Webhooks path={screen('/keys/webhooks')} />
    <Webhook path={screen('/keys/webhooks/:id')} />
    <Links path={screen('/links')} />
    <Resolver path={screen('/links/resolver')} />
    <ResolverItem path={screen('/links/resolver/:id')} />
    <Bin path={screen('/bin')} />
    <NotFound default />
  </Router>
);

/** Shows the sign-in form of accounts, or the navigation and the screen of the current address. */
const OfAccount = () => (
  <SignedIn
    what="the dashboard"
    places={PLACES}
    whoOf={({ account }) => account.name}
    look={() => ask<Session | undefined>(api.GET('/dashboard/session'))}
    end={() => ask(api.DELETE('/dashboard/session'))}
    form={(hasEnded, onSession) => <SignIn {...{ hasEnded, onSession }} />}
  >
    {(session) => (
      <SessionContext.Provider value={session}>
        <Screens />
      </SessionContext.Provider>
    )}
  </SignedIn>
);

/** The operator has a session and screens apart from those of accounts. */
const Whose = () =>
  `${useLocation().path}/`.startsWith(`${screen('/operator')}/`) ? <Operator /> : <OfAccount />;

/** Shows the screens of the account that is signed in, or of the operator, by the current address. */
export const App = () => (
  <QueryClientProvider client={cache}>
    <LocationProvider scope={screen()}>
      <Whose />
    </LocationProvider>
  </QueryClientProvider>
);
