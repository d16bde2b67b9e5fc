import { toScreenPath } from '../base.ts';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

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
