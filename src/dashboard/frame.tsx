/** What surrounds a screen: the sign-in, the top bar and the navigation. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { asFault, type Fault, onSessionEnd, toScreenPath } from './api/client.ts';
import { cache } from './api/query.ts';
import { Quiet, Toasts } from './ui/buttons.tsx';
import { useMedia } from './ui/hooks.ts';
import { Icon, type IconName, Main, Mark, Page } from './ui/page.tsx';
import { Empty, Failure, Loading } from './ui/states.tsx';

/** A place of the navigation. `also` are the beginnings of further paths that belong to it. */
export interface Place {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  readonly also?: readonly string[];
}

/** Places in a narrow bar and in that of a phone; with more of them, the others are behind "More". */
const PLACES_IN_NARROW = 5;
const PLACES_ON_PHONE = 4;

const isHere = ({ path, also = [] }: Place, at: string, home: string): boolean => {
  if (path === home && at.replace(/\/$/, '') === toScreenPath(home)) return true;
  const starts = path === home ? also : [path, ...also];
  return starts.some((start) => at === toScreenPath(start) || at.startsWith(`${toScreenPath(start)}/`));
};

const PlaceLink = ({ place, current }: { readonly place: Place; readonly current: boolean }) => (
  <a href={toScreenPath(place.path)} aria-current={current ? 'page' : undefined}>
    <Icon name={place.icon} />
    {place.name}
  </a>
);

interface MoreProps {
  readonly places: readonly Place[];
  readonly isAt: (place: Place) => boolean;
  readonly onSignOut: () => void;
}

/** The rest of the navigation, which opens below its button and closes with Escape, a choice or a click elsewhere. */
const More = ({ places, isAt, onSignOut }: MoreProps) => {
  const element = useRef<HTMLDetailsElement>(null);
  const { path } = useLocation();
  const close = () => element.current?.removeAttribute('open');
  useEffect(close, [path]);
  useEffect(() => {
    const onPress = (event: PointerEvent) => {
      if (!element.current?.contains(event.target as Node)) close();
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, []);
  return (
    <details
      ref={element}
      class="more"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !element.current?.open) return;
        close();
        element.current.querySelector('summary')?.focus();
      }}
    >
      <summary class={places.some(isAt) ? 'here' : ''}>
        <Icon name="more" />
        More
      </summary>
      <div class="menu-items">
        {places.map((place) => (
          <PlaceLink key={place.path} place={place} current={isAt(place)} />
        ))}
        <Quiet onClick={onSignOut}>Sign out</Quiet>
      </div>
    </details>
  );
};

interface NavigationProps {
  /** The first one is the home, whose path is the beginning of all others. */
  readonly places: readonly Place[];
  readonly onSignOut: () => void;
}

/**
 * The places of the dashboard, in one row. Where not all fit, the last ones are behind "More", together with the button
 * that signs out.
 */
const Navigation = ({ places, onSignOut }: NavigationProps) => {
  const { path } = useLocation();
  const isNarrow = useMedia('(max-width: 60rem)');
  const isPhone = useMedia('(max-width: 44rem)');
  const isAt = (place: Place) => isHere(place, path, places[0]?.path ?? '');
  const room = isPhone ? PLACES_ON_PHONE : isNarrow ? PLACES_IN_NARROW : places.length;
  const hasMore = places.length > room;
  return (
    <nav aria-label="Main">
      {places.slice(0, room).map((place) => (
        <PlaceLink key={place.path} place={place} current={isAt(place)} />
      ))}
      {hasMore && <More places={places.slice(room)} isAt={isAt} onSignOut={onSignOut} />}
    </nav>
  );
};

interface TopBarProps {
  readonly places: readonly Place[];
  readonly who: string;
  readonly tools: ComponentChildren;
  readonly onSignOut: () => void;
}

/** The bar above every screen: the product, its places, tools, who is signed in, and a button to sign out. */
const TopBar = ({ places, who, tools, onSignOut }: TopBarProps) => (
  <header class={`top ${places.length > PLACES_IN_NARROW ? 'many' : ''}`}>
    <a class="skip" href="#main">
      Skip to the content
    </a>
    <a class="brand" href={toScreenPath(places[0]?.path)}>
      <Mark />
      Tessera
    </a>
    <Navigation places={places} onSignOut={onSignOut} />
    <div class="who">
      <span class="clip">{who}</span>
      {tools}
      <Quiet class="quiet end" onClick={onSignOut}>
        Sign out
      </Quiet>
    </div>
  </header>
);

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
  /** What stands in the bar before the button that signs out. */
  readonly tools?: (signOut: () => void) => ComponentChildren;
  readonly children: (session: T) => ComponentChildren;
}

/** Shows a sign-in form or, to those who are signed in, the navigation and the screen of the current address. */
export const SignedIn = <T,>({ what, places, whoOf, look, end, form, tools, children }: SignedInProps<T>) => {
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
  const signOut = (): void => void end().then(() => show('nobody'), fail);

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
      <TopBar places={places} who={whoOf(state.session)} tools={tools?.(signOut)} onSignOut={signOut} />
      {children(state.session)}
    </Toasts>
  );
};

/** Says that the address is unknown. */
export const NotFound = (_: { readonly default?: boolean }) => (
  <Page title="Page not found">
    <Empty title="The address may be mistyped, or the page was deleted.">
      <p>
        <a href={toScreenPath()}>Go home</a>, or look in the <a href={toScreenPath('/bin')}>bin</a>.
      </p>
    </Empty>
  </Page>
);
