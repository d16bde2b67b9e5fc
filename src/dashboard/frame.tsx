/** What surrounds a screen: the sign-in, the top bar and the navigation. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { asFault, type Fault, toScreenPath } from './api/client.ts';
import { cache, refresh } from './api/query.ts';
import { type Conflict, noteSignIn, onQuestion } from './api/send.ts';
import { linkTo, Quiet, Toasts } from './ui/buttons.tsx';
import type { ConflictDialogProps } from './ui/conflict.tsx';
import { useLineDown, useMedia } from './ui/hooks.ts';
import { closeDrafts, openDrafts } from './ui/kept/drafts.ts';
import { LeaveQuestion } from './ui/kept/leaving.tsx';
import { Icon, type IconName, Main, Mark, Page } from './ui/page.tsx';
import { makePart } from './ui/part.tsx';
import { Empty, Failure, Loading } from './ui/states.tsx';
import { LanguageChoice } from './words/language.tsx';
import { say, sayWith } from './words/say.ts';

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
        {say('More')}
      </summary>
      <div class="menu-items">
        {places.map((place) => (
          <PlaceLink key={place.path} place={place} current={isAt(place)} />
        ))}
        <Quiet onClick={onSignOut}>{say('Sign out')}</Quiet>
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
    <nav aria-label={say('Main')}>
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
      {say('Skip to the content')}
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
        {say('Sign out')}
      </Quiet>
    </div>
  </header>
);

/** Says once, above every screen, that there is no connection. */
const LineDown = () => (
  <p class="line-down" role="status">
    {useLineDown() &&
      say(
        'The service cannot be reached. What you typed is kept, and the page goes on when the connection is back.',
      )}
  </p>
);

/** A question of a call that waits for the answer. */
interface Asked<Q> {
  readonly about: Q;
  readonly answer: (yes: boolean) => void;
}

/** Lets calls ask one question after the other; calls that ask the same get the same answer. */
const useQuestion = <Q,>() => {
  const [asked, setAsked] = useState<Asked<Q> | null>(null);
  const last = useRef<{ readonly about: Q; readonly answered: Promise<boolean> } | null>(null);
  const ask = (about: Q): Promise<boolean> => {
    const before = last.current;
    if (before?.about === about) return before.answered;
    const answered = (before?.answered ?? Promise.resolve(true)).then(
      () => new Promise<boolean>((answer) => setAsked({ about, answer })),
    );
    last.current = { about, answered };
    return answered;
  };
  const answer = (yes: boolean): void => {
    if (last.current?.about === asked?.about) last.current = null;
    setAsked(null);
    asked?.answer(yes);
  };
  return { about: asked?.about, ask, answer };
};

const ConflictDialog = makePart<ConflictDialogProps>('conflict', () => import('./ui/conflict.tsx'), {
  what: say('both versions'),
});

/** `unknown`: the service has not answered yet. */
type State<T> = { readonly session: T } | 'unknown' | 'nobody';

interface SignedInProps<T> {
  /** What is loaded, as error messages call it. */
  readonly what: string;
  readonly places: readonly Place[];
  readonly whoOf: (session: T) => string;
  /** Tells accounts apart. */
  readonly idOf: (session: T) => string;
  /** Returns the session; `undefined` when there is none. */
  readonly look: () => Promise<T | undefined>;
  /** Signs out. */
  readonly end: () => Promise<unknown>;
  readonly form: (props: SignInProps<T>) => ComponentChildren;
  /** What stands in the bar before the button that signs out. */
  readonly tools?: (signOut: () => void) => ComponentChildren;
  readonly children: (session: T) => ComponentChildren;
}

/** What a sign-in form gets. `onLeave` is there when it stands over a screen whose session has ended. */
export interface SignInProps<T> {
  readonly onSession: (session: T) => void;
  readonly onLeave: (() => void) | null;
}

/**
 * Shows a sign-in form or, to those who are signed in, the navigation and the screen of the current address. When the
 * session has ended, the form stands over the screen, whose calls wait for it.
 */
export const SignedIn = <T,>({
  what,
  places,
  whoOf,
  idOf,
  look,
  end,
  form,
  tools,
  children,
}: SignedInProps<T>) => {
  const { route } = useLocation();
  const [state, setState] = useState<State<T>>('unknown');
  const [fault, setFault] = useState<Fault | null>(null);
  const ended = useQuestion<true>();
  const conflict = useQuestion<Conflict>();
  const show = (next: State<T>): void => {
    // Nobody sees what another account has read or typed.
    cache.clear();
    if (typeof next !== 'string') openDrafts(idOf(next.session));
    setState(next);
  };
  const fail = (error: unknown): void => setFault(asFault(error));
  const ask = (): void => {
    setFault(null);
    look().then((session) => show(session === undefined ? 'nobody' : { session }), fail);
  };
  const leave = (): void => {
    closeDrafts();
    ended.answer(false);
    show('nobody');
    // What was searched for is in the address.
    route(location.pathname, true);
  };
  const goOn = (before: T, session: T): void => {
    noteSignIn();
    const isSame = idOf(before) === idOf(session);
    if (isSame) setState({ session });
    else {
      show({ session });
      route(toScreenPath(places[0]?.path));
    }
    ended.answer(isSame);
    if (isSame) refresh();
  };
  const isSignedIn = typeof state !== 'string';
  useEffect(ask, []);
  useEffect(() => {
    onQuestion(
      isSignedIn
        ? {
            signIn: () => ended.ask(true),
            choose: conflict.ask,
          }
        : null,
    );
    return () => onQuestion(null);
  }, [isSignedIn]);
  const signOut = (): void => void end().then(leave, fail);

  if (fault !== null)
    return (
      <Main>
        <Failure fault={fault} retry={ask} />
      </Main>
    );
  if (state === 'unknown') return <Loading what={what} />;
  if (state === 'nobody') return <>{form({ onSession: (session) => show({ session }), onLeave: null })}</>;
  const { session } = state;
  return (
    <Toasts key={idOf(session)}>
      <TopBar places={places} who={whoOf(session)} tools={tools?.(signOut)} onSignOut={signOut} />
      <LineDown />
      <LeaveQuestion />
      {children(session)}
      <footer>
        <LanguageChoice />
      </footer>
      {conflict.about && (
        <ConflictDialog
          conflict={conflict.about}
          onChoose={(isMine) => {
            conflict.answer(isMine);
            if (!isMine) refresh();
          }}
        />
      )}
      {ended.about && form({ onSession: (next) => goOn(session, next), onLeave: leave })}
    </Toasts>
  );
};

/** Says that the address is unknown. */
export const NotFound = (_: { readonly default?: boolean }) => (
  <Page title={say('Page not found')}>
    <Empty title={say('The address may be mistyped, or the page was deleted.')}>
      <p>
        {sayWith('<link>Go home</link>, or look in the <link2>bin</link2>.', {
          link: linkTo(),
          link2: linkTo('/bin'),
        })}
      </p>
    </Empty>
  </Page>
);
