/** Scans and webhooks: whatever happened has an event, and each event has a cause. */
import type { Final } from '../final.ts';
import type { History } from '../history.ts';
import { callsOf, groupBy, isOk, isOpen, kills, lossesOf, type Violation } from './rule.ts';

const thingsOf = ({ batches, links, units }: Final): string[] => [
  ...batches.map(({ account, state, id }) => `${account} batch.${state} ${id}`),
  ...links.filter(({ people }) => people > 0).map(({ slug }) => `0 link.first_scan ${slug}`),
  ...units.flatMap(({ usage: { remaining, monthly_quota } }, account) =>
    remaining < 0.2 * monthly_quota ? [`${account} quota.low`] : [],
  ),
];

const nameOf = ({ account, type, about }: Final['events'][number]): string =>
  type === 'quota.low' ? `${account} ${type}` : `${account} ${type} ${about}`;

/** Webhooks: delivered at least once, always with the same id, and never without a cause. */
export const checkEvents = ({ final }: History): Violation[] => {
  const events = groupBy(final.events, nameOf);
  const things = new Set(thingsOf(final));
  const told = [...events].flatMap(([name, tries]): string[] => {
    if (new Set(tries.map(({ id }) => id)).size > 1) return [`"${name}" was sent under several ids`];
    // A low quota may have been raised by credits since.
    const isTrue = name.endsWith('quota.low') ? tries[0]!.isLow : things.has(name);
    return isTrue ? [] : [`"${name}" was sent but did not happen`];
  });
  const untold = [...things].filter((name) => !events.has(name)).map((name) => `"${name}" was not sent`);
  return [...told, ...untold].map((what) => ({ rule: 'webhooks', what, calls: [] }));
};

/** Every acknowledged visit is one scan, unless its gateway was killed before writing it. */
export const checkScans = (history: History): Violation[] => {
  const mayBeLost = lossesOf(history, kills);
  const visits = groupBy(callsOf(history, 'visit'), ({ operation }) => operation.slug);
  return history.final.links.flatMap(({ slug, people }): Violation[] => {
    const calls = visits.get(slug) ?? [];
    const least = calls.filter((call) => isOk(call) && !mayBeLost(call)).length;
    const most = calls.filter((call) => isOk(call) || isOpen(call)).length;
    if (people >= least && people <= most) return [];
    return [{ rule: 'scans', what: `${slug} has ${people} scans, not ${least} to ${most}`, calls: [] }];
  });
};
