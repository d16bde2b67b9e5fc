/** Asks before somebody leaves what would stop. What people type needs no question: it is kept as a draft. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { toScreenPath } from '../../api/client.ts';
import { say } from '../../words/say.ts';
import { Question } from '../form.tsx';

const atWork = new Set<object>();

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Makes the page ask before somebody leaves it, or the screen, while it is busy. */
export const useLeaveWarning = (busy: boolean): void =>
  useEffect(() => {
    if (!busy) return;
    const work = {};
    atWork.add(work);
    addEventListener('beforeunload', warn);
    return () => {
      atWork.delete(work);
      if (atWork.size === 0) removeEventListener('beforeunload', warn);
    };
  }, [busy]);

/** Returns the link to another screen that a click follows; `null`: none. */
const linkOf = ({ target, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): HTMLAnchorElement | null => {
  const link = target instanceof Element ? target.closest('a') : null;
  const isOwn = link?.origin === location.origin && link.pathname.startsWith(toScreenPath());
  const isHere = link?.getAttribute('href')?.startsWith('#') || link?.target || link?.download;
  return isOwn && !isHere && !ctrlKey && !metaKey && !shiftKey && !altKey ? link : null;
};

/** Asks, when somebody leaves a screen that is busy. It stands above all screens. */
export const LeaveQuestion = () => {
  const { url, route } = useLocation();
  const here = useRef(url);
  here.current = url;
  const [leave, setLeave] = useState<(() => void) | null>(null);
  useEffect(() => {
    const onClick = (event: MouseEvent): void => {
      const link = atWork.size === 0 ? null : linkOf(event);
      if (link === null) return;
      event.preventDefault();
      event.stopPropagation();
      setLeave(() => () => route(link.pathname + link.search));
    };
    const onBack = (event: PopStateEvent): void => {
      if (atWork.size === 0) return;
      // The address has changed already, and the router must not hear of it.
      event.stopImmediatePropagation();
      history.pushState(null, '', here.current);
      setLeave(() => () => history.back());
    };
    addEventListener('click', onClick, { capture: true });
    addEventListener('popstate', onBack, { capture: true });
    return () => {
      removeEventListener('click', onClick, { capture: true });
      removeEventListener('popstate', onBack, { capture: true });
    };
  }, []);
  if (leave === null) return null;
  return (
    <Question
      title={say('Leave this page?')}
      yes={say('Leave')}
      no={say('Stay')}
      act={async () => {
        atWork.clear();
        leave();
      }}
      onClose={() => setLeave(null)}
    >
      <p>{say('What it is sending would stop.')}</p>
    </Question>
  );
};
