import { useDocument, useGet } from '../api/query.ts';
import { useSession } from '../session.ts';
import { Page } from '../ui/page.tsx';
import { Failure, Loaded } from '../ui/states.tsx';
import { Importer } from './import/importer.tsx';
import { rulesOf } from './import/rules.ts';

/** Makes codes from the rows of a spreadsheet or CSV file. */
export default function Import(_: { readonly path: string }) {
  const { account } = useSession();
  const rules = useDocument(rulesOf);
  const usage = useGet('/api/v1/usage', {});
  return (
    <Page title="Import">
      <p class="lead">
        Each row becomes one code, saved in a folder. All rows are checked before they cost anything.
      </p>
      {account.plan !== 'pro' && (
        <p class="notice">
          Making codes from a file needs the Pro plan, and this account is on Free. You can check a file here.
          To make the codes, ask the operator of this service for Pro.
        </p>
      )}
      {usage.error && <Failure fault={usage.error} retry={() => void usage.refetch()} />}
      <Loaded load={rules} what="the rules">
        {(known) => (
          <div class="importer">
            <Importer rules={known} left={usage.data?.remaining ?? null} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}
