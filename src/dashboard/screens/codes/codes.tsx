import { toScreenPath } from '../../api/client.ts';
import { PrimaryLink } from '../../ui/buttons.tsx';
import { Page, Tabs } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { CodeBrowser } from './list/browser.tsx';

/** Shows all codes of the account, whatever their folder. */
export default function Codes(_: { readonly path: string }) {
  return (
    <Page title="Codes" actions={<PrimaryLink href={toScreenPath('/design')}>New code</PrimaryLink>}>
      <Tabs of="codes" />
      <CodeBrowser
        firstSort="newest"
        searchLabel="Search codes"
        empty={
          <Empty title="No codes yet.">
            <p>
              <a href={toScreenPath('/design')}>Design a code</a>, or{' '}
              <a href={toScreenPath('/table')}>import a table</a>.
            </p>
          </Empty>
        }
      />
    </Page>
  );
}
