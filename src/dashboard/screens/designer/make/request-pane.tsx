import { BASE } from '../../../base.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import type { Draft } from '../draft.ts';
import { asCode, toCurl } from './as-code.ts';

const SERVICE = `${location.origin}${BASE}api/v1/`;

interface ListingProps {
  readonly title: string;
  readonly copied: string;
  readonly shown: string;
}

const Listing = ({ title, copied, shown }: ListingProps) => (
  <>
    <div class="row listing-head">
      <h3>{title}</h3>
      <CopyButton text={copied} label={`Copy ${title}`} />
    </div>
    <pre class="listing">{shown}</pre>
  </>
);

interface RequestPaneProps {
  readonly draft: Draft;
  readonly folderName: string;
}

/** Shows the JSON and the curl command with which a program makes the same code. */
export const RequestPane = ({ draft, folderName }: RequestPaneProps) => {
  const { path, json, shown } = asCode(draft, folderName);
  return (
    <details class="card section">
      <summary>For developers: JSON and curl</summary>
      <Listing title="JSON" copied={json} shown={shown} />
      <Listing title="curl" copied={toCurl(SERVICE, path, json)} shown={toCurl(SERVICE, path, shown)} />
    </details>
  );
};
