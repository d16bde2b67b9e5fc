/** Leads from a code with a Digital Link to the item of the resolver to which its scans come. */
import type { VNode } from 'preact';
import { toScreenPath } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import type { ResolverItem } from '../../api/shapes.ts';
import { ButtonLink } from '../../ui/buttons.tsx';
import { useSession } from '../../ui/hooks.ts';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { say, sayWith } from '../../words/say.ts';

/** As many as a page has. A key with more items shows those that come first. */
const LOOKED = 100;

/** Returns the pairs of an AI and its value in a path, as the service writes them. */
const pairsOf = (path: string): readonly string[] => path.match(/[^/]+\/[^/]+/g) ?? [];

/** Whether an item has no pair that a code does not have, other than one for any value. */
const isFor = ({ path }: ResolverItem, pairs: readonly string[]): boolean =>
  pairsOf(path).every((pair) => {
    const [ai = '', value = ''] = pair.split('/');
    const isAny = value === `%7B${ai}%7D`;
    return pairs.some((each) => (isAny ? each.startsWith(`${ai}/`) : each === pair));
  });

/** Returns the items for a code, the most specific first. */
const itemsFor = (items: readonly ResolverItem[], pairs: readonly string[]): readonly ResolverItem[] =>
  items
    .filter((item) => isFor(item, pairs))
    .toSorted((a, b) => pairsOf(b.path).length - pairsOf(a.path).length);

const Item = ({ path }: { readonly path: string }) => {
  const pairs = pairsOf(path);
  const key = `(${pairs[0]?.replace('/', ')')}`;
  const load = useGet('/api/v1/resolver/items', { query: { key, limit: LOOKED } });
  return (
    <Card title={say('Item of the resolver')}>
      <Loaded load={load} what={say('the item')}>
        {({ data }) => {
          const [item] = itemsFor(data, pairs);
          if (item === undefined)
            return (
              <>
                <p>{say('This code is a Digital Link to the resolver, which has no item for it yet.')}</p>
                <div class="row">
                  <ButtonLink href={toScreenPath(`/links/resolver?item=${encodeURIComponent(key)}`)}>
                    {say('Make the item')}
                  </ButtonLink>
                </div>
              </>
            );
          const target = item.links.find(({ is_default }) => is_default) ?? item.links[0];
          return (
            <>
              <p>
                {sayWith(target ? 'Scans come to {key}, which leads to:' : 'Scans come to {key}', {
                  key: <a href={toScreenPath(`/links/resolver/${item.id}`)}>{item.key}</a>,
                })}
              </p>
              {target && <p class="wrap">{target.href}</p>}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
};

interface ItemOfCodeProps {
  readonly content: string;
  /** What stands for a code whose content is no address of the resolver. */
  readonly children: VNode;
}

/** Shows the item of a code whose content is an address of the resolver. */
export const ItemOfCode = ({ content, children }: ItemOfCodeProps) => {
  const root = useSession().resolver_url;
  const isAtResolver = root !== null && content.startsWith(`${root}/`);
  const [path = ''] = isAtResolver ? content.slice(root.length).split(/[?#]/) : [];
  return pairsOf(path).length === 0 ? children : <Item path={path} />;
};
