import { api, ask } from '../../api/client.ts';
import type { Link, LinkChange } from '../../api/shapes.ts';
import { usePages } from '../../ui/lists/paged.ts';
import { ChangeList } from '../links/change-list.tsx';
import { inWords } from './in-words.ts';

const Change = ({ change, slug }: { readonly change: LinkChange; readonly slug: string }) => (
  <>
    <span class="wrap">{change.destination}</span>
    {change.slug !== slug && <span class="small wrap">Short address: …/l/{change.slug}</span>}
    {inWords(change).map((line) => (
      <span key={line} class="small wrap">
        {line}
      </span>
    ))}
  </>
);

/** Shows where and when a link has led, and its slugs. Earlier ones have a button that restores all of that. */
export const History = ({
  link,
  onReturn,
}: {
  readonly link: Link;
  readonly onReturn: (change: LinkChange) => Promise<void>;
}) => {
  const pages = usePages(
    (cursor, signal) =>
      ask(
        api.GET('/api/v1/links/{slug}/history', {
          params: { path: { slug: link.slug }, query: { limit: 10, ...(cursor && { cursor }) } },
          signal: signal ?? null,
        }),
      ),
    [link.slug, link.updated_at],
  );
  return (
    <ChangeList
      title="History"
      pages={pages}
      show={(change) => <Change change={change} slug={link.slug} />}
      onReturn={onReturn}
    />
  );
};
