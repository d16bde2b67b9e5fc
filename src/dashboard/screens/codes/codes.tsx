import { toScreenPath } from '../../api/client.ts';
import { linkTo, PrimaryLink } from '../../ui/buttons.tsx';
import { Page, Tabs } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { say, sayWith } from '../../words/say.ts';
import { CodeBrowser } from './list/browser.tsx';

/** Shows all codes of the account, whatever their folder. */
export default function Codes(_: { readonly path: string }) {
  return (
    <Page
      title={say('Codes')}
      actions={<PrimaryLink href={toScreenPath('/design')}>{say('New code')}</PrimaryLink>}
    >
      <Tabs of="codes" />
      <CodeBrowser
        firstSort="newest"
        searchLabel={say('Search codes')}
        empty={
          <Empty title={say('No codes yet.')}>
            <p>
              {sayWith('<link>Design a code</link>, or <link2>start a batch</link2>.', {
                link: linkTo('/design'),
                link2: linkTo('/table'),
              })}
            </p>
          </Empty>
        }
      />
    </Page>
  );
}
