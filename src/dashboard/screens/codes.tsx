import { screen } from '../base.ts';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { CodeBrowser } from './codes/browser.tsx';

/** Shows all codes of the account, whatever their folder. */
export default function Codes(_: { readonly path: string }) {
  return (
    <Page
      title="Codes"
      actions={
        <a class="button primary" href={screen('/design')}>
          New code
        </a>
      }
    >
      <CodeBrowser
        firstSort="newest"
        searchLabel="Search codes"
        empty={
          <Empty title="No codes yet.">
            <p>
              <a href={screen('/design')}>Design a code</a>, or <a href={screen('/import')}>import a table</a>
              .
            </p>
          </Empty>
        }
      />
    </Page>
  );
}
