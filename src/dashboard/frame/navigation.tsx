import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { toScreenPath } from '../base.ts';
import { Quiet } from '../ui/buttons.tsx';
import { useMedia } from '../ui/window.ts';
import { Icon, type IconName } from './icons.tsx';

/** A place of the navigation. `also` are the beginnings of further paths that belong to it. */
export interface Place {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  readonly also?: readonly string[];
}

/** Places in the bar of a phone; with more of them, the others are behind "More". */
export const PLACES_ON_PHONE = 4;

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
      <div class="more-menu">
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
 * The places of the dashboard. A phone shows the first four in one row, and the others behind "More", together with the
 * button that signs out.
 */
export const Navigation = ({ places, onSignOut }: NavigationProps) => {
  const { path } = useLocation();
  const isPhone = useMedia('(max-width: 44rem)');
  const isAt = (place: Place) => isHere(place, path, places[0]?.path ?? '');
  const hasMore = isPhone && places.length > PLACES_ON_PHONE;
  const inBar = hasMore ? places.slice(0, PLACES_ON_PHONE) : places;
  return (
    <nav aria-label="Main">
      {inBar.map((place) => (
        <PlaceLink key={place.path} place={place} current={isAt(place)} />
      ))}
      {hasMore && <More places={places.slice(PLACES_ON_PHONE)} isAt={isAt} onSignOut={onSignOut} />}
    </nav>
  );
};
