import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import type { ResolverItem } from '../../api/shapes.ts';
import { toScreenPath } from '../../base.ts';
import { Danger } from '../../ui/buttons.tsx';
import { Above, Page } from '../../ui/page.tsx';
import { Question } from '../../ui/question.tsx';
import { Loaded } from '../../ui/states.tsx';
import { ScanCard } from '../code/link-scans.tsx';
import { ItemLinks } from './item-links.tsx';

const LIST = '/links/resolver';

const Delete = ({ item: { id, key } }: { readonly item: ResolverItem }) => {
  const { route } = useLocation();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Danger onClick={() => setAsking(true)}>Delete</Danger>
      {isAsking && (
        <Question
          title={`Delete ${key}?`}
          yes="Delete the item"
          no="Keep the item"
          act={async () => {
            // Not `change`, which would refetch what no longer exists.
            await ask(api.DELETE('/api/v1/resolver/items/{id}', { params: { path: { id } } }));
            route(toScreenPath(LIST));
          }}
          onClose={() => setAsking(false)}
        >
          <p>Its address then leads where the item above it leads, or nowhere.</p>
        </Question>
      )}
    </>
  );
};

/** Shows one item of the resolver: its links, their history and its scans. */
export default function ResolverItemScreen({ id = '' }: { readonly id?: string; readonly path: string }) {
  const item = useGet('/api/v1/resolver/items/{id}', { path: { id } });
  const params = { path: { id } };
  return (
    <Page
      title={item.data?.key ?? 'Item'}
      above={<Above path={LIST} name="Resolver" />}
      actions={item.data && <Delete item={item.data} />}
    >
      <Loaded load={item} what="the item">
        {(data) => (
          <>
            <ItemLinks item={data} />
            <ScanCard
              name={data.path.slice(1).replaceAll('/', '-')}
              read={(query, signal) =>
                ask(api.GET('/api/v1/resolver/items/{id}/scans', { params: { ...params, query }, signal }))
              }
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}
