import { QueryClientProvider } from '@tanstack/preact-query';
import { LocationProvider, Router, useLocation } from 'preact-iso';
import { api, ask } from './api/client.ts';
import { cache } from './api/query.ts';
import type { Session } from './api/shapes.ts';
import { toScreenPath } from './base.ts';
import { NotFound, type Place, SignedIn } from './frame.tsx';
import { Home } from './screens/home/home.tsx';
import { SignIn } from './screens/sign-in.tsx';
import { SessionContext } from './session.ts';
import { Main } from './ui/page.tsx';
import { makePart } from './ui/part.tsx';
import 'uplot/dist/uPlot.min.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/forms.css';
import './styles/tables.css';
import './styles/states.css';
import './styles/dialogs.css';
import './styles/screens/account.css';
import './styles/screens/codes.css';
import './styles/screens/designer.css';
import './styles/screens/preview.css';
import './styles/screens/import.css';
import './styles/screens/batches.css';
import './styles/screens/keys.css';
import './styles/screens/labels.css';
import './styles/screens/links.css';
import './styles/screens/home.css';
import './styles/screens/tools.css';
import { render } from 'preact';

const SCREEN = { what: 'this page', frame: Main };
const Codes = makePart('codes', () => import('./screens/codes/codes.tsx'), SCREEN);
const Folders = makePart('folders', () => import('./screens/folders.tsx'), SCREEN);
const Folder = makePart('folder', () => import('./screens/folder.tsx'), SCREEN);
const Labels = makePart('labels', () => import('./screens/labels/labels.tsx'), SCREEN);
const Code = makePart('code', () => import('./screens/code/code.tsx'), SCREEN);
const Links = makePart('links', () => import('./screens/links/links.tsx'), SCREEN);
const Resolver = makePart('resolver', () => import('./screens/resolver/resolver.tsx'), SCREEN);
const ResolverItem = makePart('resolver-item', () => import('./screens/resolver/resolver-item.tsx'), SCREEN);
const Bin = makePart('bin', () => import('./screens/bin.tsx'), SCREEN);
const Designer = makePart('designer', () => import('./screens/designer/designer.tsx'), SCREEN);
const Import = makePart('import', () => import('./screens/import/import.tsx'), SCREEN);
const Batches = makePart('batches', () => import('./screens/batches/batches.tsx'), SCREEN);
const NewBatch = makePart('new-batch', () => import('./screens/batches/new-batch.tsx'), SCREEN);
const Batch = makePart('batch', () => import('./screens/batches/batch.tsx'), SCREEN);
const Counters = makePart('counters', () => import('./screens/batches/counters.tsx'), SCREEN);
const Keys = makePart('keys', () => import('./screens/keys/keys.tsx'), SCREEN);
const Embedding = makePart('embedding', () => import('./screens/keys/embedding.tsx'), SCREEN);
const Webhooks = makePart('webhooks', () => import('./screens/webhooks/webhooks.tsx'), SCREEN);
const Webhook = makePart('webhook', () => import('./screens/webhooks/webhook.tsx'), SCREEN);
const Operator = makePart('operator', () => import('./screens/operator/operator.tsx'), SCREEN);

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
    <Home path={toScreenPath()} />
    <Codes path={toScreenPath('/codes')} />
    <Folders path={toScreenPath('/folders')} />
    <Folder path={toScreenPath('/folders/:id')} />
    <Labels path={toScreenPath('/folders/:id/labels')} />
    <Code path={toScreenPath('/codes/:id')} />
    <Designer path={toScreenPath('/design')} />
    <Import path={toScreenPath('/import')} />
    <Batches path={toScreenPath('/batches')} />
    <NewBatch path={toScreenPath('/batches/new')} />
    <Counters path={toScreenPath('/batches/counters')} />
    <Batch path={toScreenPath('/batches/:id')} />
    <Keys path={toScreenPath('/keys')} />
    <Embedding path={toScreenPath('/keys/embedding')} />
    <Webhooks path={toScreenPath('/keys/webhooks')} />
    <Webhook path={toScreenPath('/keys/webhooks/:id')} />
    <Links path={toScreenPath('/links')} />
    <Resolver path={toScreenPath('/links/resolver')} />
    <ResolverItem path={toScreenPath('/links/resolver/:id')} />
    <Bin path={toScreenPath('/bin')} />
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
  `${useLocation().path}/`.startsWith(`${toScreenPath('/operator')}/`) ? <Operator /> : <OfAccount />;

/** Shows the screens of the account that is signed in, or of the operator, by the current address. */
const App = () => (
  <QueryClientProvider client={cache}>
    <LocationProvider scope={toScreenPath()}>
      <Whose />
    </LocationProvider>
  </QueryClientProvider>
);

render(<App />, document.getElementById('app') as HTMLElement);
