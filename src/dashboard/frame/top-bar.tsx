import { screen } from '../base.ts';
import { Mark } from '../ui/mark.tsx';
import { Navigation, PLACES_ON_PHONE, type Place } from './navigation.tsx';

/** The bar above every screen: the product, its places, who is signed in, and a button to sign out. */
export const TopBar = ({
  places,
  who,
  onSignOut,
}: {
  readonly places: readonly Place[];
  readonly who: string;
  readonly onSignOut: () => void;
}) => (
  <header class={`top ${places.length > PLACES_ON_PHONE ? 'many' : ''}`}>
    <a class="skip" href="#main">
      Skip to the content
    </a>
    <a class="brand" href={screen(places[0]?.path)}>
      <Mark />
      Tessera
    </a>
    <Navigation places={places} onSignOut={onSignOut} />
    <div class="who">
      <span class="clip">{who}</span>
      <button type="button" class="quiet" onClick={onSignOut}>
        Sign out
      </button>
    </div>
  </header>
);
