/** Changes many short links: by one call where that can say it, else by a link job. */
import { useLocation } from 'preact-iso';
import { api, ask, askRaw, newIdempotencyKey, toScreenPath } from '../../api/client.ts';
import { change, refresh } from '../../api/query.ts';
import type { LinkJob, RouteChange } from '../../api/shapes.ts';
import { useToast, useUndoable } from '../../ui/buttons.tsx';
import { say } from '../../words/say.ts';
import { hasEnded } from './jobs/words.ts';
import { type LinkName, linksChanged, useChangedLinks } from './save-link.ts';

/** A link, and what changes about it. */
export interface ChangedLink {
  readonly link: LinkName;
  readonly change: RouteChange;
}

/** Links that one call can change. */
const CALL_MAX = 1000;
/** How often a job is looked at before its screen is shown, and the pause before each look. */
const LOOKS = 20;
const PAUSE_MS = 500;

const sendJob = async (changed: readonly ChangedLink[]): Promise<LinkJob> => {
  const lines = changed.map(({ link: { slug, domain }, change: fields }) =>
    JSON.stringify({ slug, ...(domain !== null && { domain }), ...fields }),
  );
  const answer = await askRaw('api/v1/link-jobs', {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': newIdempotencyKey() },
    body: `${lines.join('\n')}\n`,
  });
  return answer.json();
};

/** Waits some seconds for the end of a job. */
const follow = async (sent: LinkJob): Promise<LinkJob> => {
  let job = sent;
  for (let look = 0; look < LOOKS && !hasEnded(job); look += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    job = await ask(api.GET('/api/v1/link-jobs/{id}', { params: { path: { id: job.id } } }));
  }
  return job;
};

/**
 * Returns a function that changes links, says how many it has changed, and offers to undo that. Where a job takes long,
 * or cannot change all of them, its screen is shown.
 */
export const useChangeLinks = () => {
  const { route } = useLocation();
  const toast = useToast();
  const tell = useChangedLinks();
  const tellJob = useUndoable<string>(say('Every link leads where it led before.'), async (id) => {
    const undo = await ask(api.POST('/api/v1/link-jobs/{id}/undo', { params: { path: { id } } }));
    await follow(undo);
    refresh();
  });
  return async (changed: readonly ChangedLink[]): Promise<void> => {
    const [first] = changed;
    if (first === undefined) return;
    const isOfCall =
      changed.length <= CALL_MAX &&
      changed.every(({ link, change: fields }) => link.domain === null && fields === first.change);
    if (isOfCall) {
      const slugs = changed.map(({ link: { slug } }) => slug);
      tell(await change(api.PATCH('/api/v1/links', { body: { slugs, change: first.change } })));
      return;
    }
    const job = await follow(await sendJob(changed));
    refresh();
    if (job.state === 'done' && job.faults === 0) {
      tellJob(linksChanged(job.changed), job.undoable ? job.id : null);
      return;
    }
    toast({
      text: hasEnded(job) ? say('Not all links could be changed.') : say('The links are being changed.'),
    });
    route(toScreenPath(`/links/jobs/${job.id}`));
  };
};
