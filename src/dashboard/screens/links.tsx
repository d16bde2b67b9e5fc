import { Page } from '../ui/page.tsx';
import { DeadLinks } from './links/dead-links.tsx';

/** Shows what holds for all short links of the account. */
export default function Links(_: { readonly path: string }) {
  return (
    <Page title="Short links">
      <p class="muted">What holds for the short links of all your dynamic codes.</p>
      <DeadLinks />
    </Page>
  );
}
