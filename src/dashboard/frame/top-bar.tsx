import { toScreenPath } from '../base.ts';
import { Quiet } from '../ui/buttons.tsx';
import { Mark } from './icons.tsx';
import { Navigation, PLACES_ON_PHONE, type Place } from './navigation.tsx';

interface TopBarProps {
  readonly places: readonly Place[];
  readonly who: string;
  readonly onSignOut: () => void;
}

/** The bar above every screen: the product, its places, who is signed in, and a button to sign out. */
export const TopBar = ({ places, who, onSignOut }: TopBarProps) => (
  <header class={`top ${places.length > PLACES_ON_PHONE ? 'many' : ''}`}>
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
      <Quiet onClick={onSignOut}>Sign out</Quiet>
    </div>
  </header>
);
