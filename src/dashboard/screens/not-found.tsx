import { screen } from '../base.ts';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export const NotFound = (_: { readonly default?: boolean }) => (
  <Page title="There is no such page">
    <Empty title="The address may be mistyped, or what it showed was deleted.">
      <p>
        <a href={screen()}>Go home</a>, or look into the <a href={screen('/bin')}>bin</a>.
      </p>
    </Empty>
  </Page>
);
