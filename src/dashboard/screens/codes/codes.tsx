import { useLocation } from 'preact-iso';
import { toScreenPath } from '../../base.ts';
import { PrimaryLink } from '../../ui/buttons.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { CodeBrowser } from './browser.tsx';

/** Shows all codes of the account, whatever their folder. */
export default function Codes(_: { readonly path: string }) {
  const { tag = '' } = useLocation().query;
  return (
    <Page title="Codes" actions={<PrimaryLink href={toScreenPath('/design')}>New code</PrimaryLink>}>
      <CodeBrowser
        key={tag}
        firstSort="newest"
        firstTag={tag}
        searchLabel="Search codes"
        empty={
          <Empty title="No codes yet.">
            <p>
              <a href={toScreenPath('/design')}>Design a code</a>, or{' '}
              <a href={toScreenPath('/import')}>import a table</a>.
            </p>
          </Empty>
        }
      />
    </Page>
  );
}
