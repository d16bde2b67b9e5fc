/** Changes of one short link, or of many, and what is said of them. */
import { api, ifMatch } from '../../api/client.ts';
import { change, show } from '../../api/query.ts';
import type { Link, LinkPatch } from '../../api/shapes.ts';
import { useToast, useUndoable } from '../../ui/buttons.tsx';
import { count } from '../../ui/format.ts';
import { say } from '../../words/say.ts';

/** What tells a short link apart. */
export type LinkName = Pick<Link, 'slug' | 'domain'>;

/** Returns the parameters with which calls name a link. A slug at an own domain needs the domain. */
export const namedAs = ({ slug, domain }: LinkName) => ({
  path: { slug },
  query: domain === null ? {} : { domain },
});

/** Saves changes of a link. It throws a `Fault` when somebody else has changed the link. */
const patchLink = async (link: Link, body: LinkPatch): Promise<Link> => {
  const named = namedAs(link);
  const params = { ...named, header: ifMatch(link) };
  const saved = await change(api.PATCH('/api/v1/links/{slug}', { params, body }));
  show('/api/v1/links/{slug}', named, saved);
  return saved;
};

/** Saves changes of a link, and says so. */
export type SaveLink = (body: LinkPatch, done: string) => Promise<void>;

/** Returns a function that saves changes of a link, as `patchLink` does. */
export const useSaveLink = (link: Link): SaveLink => {
  const toast = useToast();
  return async (body, done) => {
    await patchLink(link, body);
    toast({ text: done });
  };
};

/** Returns a function that saves where a link leads, says so, and offers to undo that unless it is changed again. */
export const useSaveDestination = () => {
  const tell = useUndoable<{ readonly saved: Link; readonly earlier: string }>(
    say('The short link leads where it led before.'),
    ({ saved, earlier }) => patchLink(saved, { destination: earlier }),
  );
  return async (link: Link, destination: string): Promise<void> => {
    const saved = await patchLink(link, { destination });
    tell(say('Saved. The short link leads there now.'), { saved, earlier: link.destination });
  };
};

/** Says how many links were changed. */
export const linksChanged = (changed: number): string =>
  say('Saved. {links} changed.', { links: count(changed, 'link', 'links') });

/** Returns a function that says how many links a call has changed, and offers to undo that. */
export const useChangedLinks = () => {
  const tell = useUndoable<string>(say('Every link leads where it led before.'), (id) =>
    change(api.POST('/api/v1/links/changes/{id}/undo', { params: { path: { id } } })),
  );
  return ({
    change_id: id,
    changed,
  }: {
    readonly change_id: string | null;
    readonly changed: number;
  }): void => tell(linksChanged(changed), id);
};
