/** The page from its start: asks who is signed in, and shows the screen of each path. Screens are loaded when first shown. */
import { QueryClientProvider } from '@tanstack/preact-query';
import { type ComponentType, render } from 'preact';
import { LocationProvider, Router, useLocation } from 'preact-iso';
import { api, ask, toScreenPath } from './api/client.ts';
import { cache } from './api/query.ts';
import type { Session } from './api/shapes.ts';
import { NotFound, type Place, SignedIn } from './frame.tsx';
import { Keyboard } from './palette/keyboard.tsx';
import { Home } from './screens/home.tsx';
import { SignIn } from './screens/sign-in.tsx';
import { SessionContext } from './ui/hooks.ts';
import { rememberScrolling } from './ui/kept/place.ts';
import { Main } from './ui/page.tsx';
import { makePart } from './ui/part.tsx';
import 'uplot/dist/uPlot.min.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/bar.css';
import './styles/layout.css';
import './styles/forms.css';
import './styles/tables.css';
import './styles/components.css';
import './styles/screens/account.css';
import './styles/screens/codes.css';
import './styles/screens/links.css';
import './styles/screens/designer.css';
import './styles/screens/preview.css';
import './styles/screens/table.css';
import './styles/screens/batches.css';
import './styles/screens/settings.css';
import './styles/screens/labels.css';
import './styles/screens/scans.css';
import './styles/screens/palette.css';
import { say } from './words/say.ts';

const SCREEN = { what: say('this page'), frame: Main };
const Labels = makePart('labels', () => import('./screens/labels/labels.tsx'), SCREEN);
const Operator = makePart('operator', () => import('./screens/operator.tsx'), SCREEN);

/** The screens besides the first one, whose scripts are loaded when they are first shown; the first that fits wins. */
const SCREENS: readonly (readonly [path: string, screen: ComponentType<{ readonly path: string }>])[] = [
  ['/codes', makePart('codes', () => import('./screens/codes/codes.tsx'), SCREEN)],
  ['/folders', makePart('folders', () => import('./screens/folders.tsx'), SCREEN)],
  ['/folders/:id', makePart('folder', () => import('./screens/folder.tsx'), SCREEN)],
  ['/folders/:id/labels', Labels],
  ['/codes/labels', Labels],
  ['/codes/:id', makePart('code', () => import('./screens/codes/code.tsx'), SCREEN)],
  ['/design', makePart('designer', () => import('./screens/designer/designer.tsx'), SCREEN)],
  ['/table', makePart('table', () => import('./screens/table/table.tsx'), SCREEN)],
  ['/batches', makePart('batches', () => import('./screens/batches/batches.tsx'), SCREEN)],
  ['/batches/counters', makePart('counters', () => import('./screens/batches/counters.tsx'), SCREEN)],
  ['/batches/:id', makePart('batch', () => import('./screens/batches/batch.tsx'), SCREEN)],
  ['/keys', makePart('keys', () => import('./screens/keys/keys.tsx'), SCREEN)],
  ['/keys/embedding', makePart('embedding', () => import('./screens/keys/embedding.tsx'), SCREEN)],
  ['/keys/webhooks', makePart('webhooks', () => import('./screens/keys/webhooks.tsx'), SCREEN)],
  ['/keys/webhooks/:id', makePart('webhook', () => import('./screens/keys/webhook.tsx'), SCREEN)],
  ['/links', makePart('links', () => import('./screens/links/list/links.tsx'), SCREEN)],
  ['/links/settings', makePart('settings', () => import('./screens/links/settings.tsx'), SCREEN)],
  ['/links/domains', makePart('domains', () => import('./screens/links/domains/domains.tsx'), SCREEN)],
  ['/links/domains/:host', makePart('domain', () => import('./screens/links/domains/domain.tsx'), SCREEN)],
  ['/links/rule-sets', makePart('rule-sets', () => import('./screens/links/rules/rule-sets.tsx'), SCREEN)],
  ['/links/rule-sets/:id', makePart('rule-set', () => import('./screens/links/rules/rule-set.tsx'), SCREEN)],
  ['/links/jobs', makePart('link-jobs', () => import('./screens/links/jobs/link-jobs.tsx'), SCREEN)],
  [
    '/links/jobs/new',
    makePart('new-link-job', () => import('./screens/links/jobs/new-link-job.tsx'), SCREEN),
  ],
  ['/links/jobs/:id', makePart('link-job', () => import('./screens/links/jobs/link-job.tsx'), SCREEN)],
  ['/links/resolver', makePart('resolver', () => import('./screens/links/resolver.tsx'), SCREEN)],
  [
    '/links/resolver/:id',
    makePart('resolver-item', () => import('./screens/links/resolver-item.tsx'), SCREEN),
  ],
  ['/scans', makePart('scans', () => import('./screens/scans/scans.tsx'), SCREEN)],
  ['/bin', makePart('bin', () => import('./screens/bin.tsx'), SCREEN)],
];

const PLACES: readonly Place[] = [
  { path: '', name: say('Home'), icon: 'home' },
  { path: '/codes', name: say('Codes'), icon: 'codes', also: ['/folders', '/bin'] },
  { path: '/links', name: say('Links'), icon: 'links' },
  { path: '/scans', name: say('Scans'), icon: 'scans' },
  { path: '/batches', name: say('Batches'), icon: 'batches', also: ['/table'] },
  { path: '/design', name: say('Designer'), icon: 'designer' },
  { path: '/keys', name: say('Developers'), icon: 'key' },
];

const Screens = () => (
  <Router>
    <Home path={toScreenPath()} />
    {SCREENS.map(([path, Screen]) => (
      <Screen key={path} path={toScreenPath(path)} />
    ))}
    <NotFound default />
  </Router>
);

/** Shows the sign-in form of accounts, or the navigation and the screen of the current address. */
const OfAccount = () => (
  <SignedIn
    what={say('the dashboard')}
    places={PLACES}
    whoOf={({ account }) => account.name}
    idOf={({ account }) => account.id}
    look={() => ask<Session | undefined>(api.GET('/dashboard/session'))}
    end={() => ask(api.DELETE('/dashboard/session'))}
    tools={(signOut) => <Keyboard onSignOut={signOut} />}
    form={(props) => <SignIn {...props} />}
  >
    {(session) => (
      <SessionContext.Provider value={session}>
        <Screens />
      </SessionContext.Provider>
    )}
  </SignedIn>
);

/** The operator has a session and screens apart from those of accounts. */
const Root = () =>
  `${useLocation().path}/`.startsWith(`${toScreenPath('/operator')}/`) ? <Operator /> : <OfAccount />;

/** Shows the screens of the account that is signed in, or of the operator, by the current address. */
const App = () => (
  <QueryClientProvider client={cache}>
    <LocationProvider scope={toScreenPath()}>
      <Root />
    </LocationProvider>
  </QueryClientProvider>
);

rememberScrolling();
render(<App />, document.getElementById('app') as HTMLElement);
