/** Decides where a visit to a link with rules, a limit or a password is led. */

import type { Redirect } from './redirects.ts';
import { asksForVisitors, decide, type ReadyRule } from './rules/decide.ts';
import { factsOf, type VisitParts, type VisitRequest } from './rules/facts.ts';
import type { KeptRules } from './rules/kept.ts';
import { noteScan } from './scan.ts';
import type { VisitLimits } from './visit-limits.ts';

/** Where a visit is led: an answer for its slug without a guard, the rule that decided, or the wish for a password. */
export type Followed =
  | Exclude<Redirect, { kind: 'found' }>
  | {
      readonly kind: 'found';
      readonly destination: string;
      readonly firstSlug: string;
      /** The name of the rule that led it; '': none did. */
      readonly rule: string;
      /** For how long a browser may repeat it without asking, in whole seconds; 0: not at all. */
      readonly maxAgeS: number;
    }
  | { readonly kind: 'locked'; readonly passwordHash: string };

/** Leads visits. */
export type Follow = ReturnType<typeof createFollow>;

/** What leading visits needs. */
interface FollowParts extends VisitParts {
  readonly rules: KeptRules;
  readonly limits: VisitLimits;
}

/** Makes a function that leads visits, without waiting for anything. */
export const createFollow = (parts: FollowParts) => {
  const { rules, limits, visitors, classify } = parts;

  const ruleFor = (ready: readonly ReadyRule[], request: VisitRequest, counts: boolean): ReadyRule | null => {
    const visit = factsOf(request, parts);
    const rule = decide(ready, visit);
    if (counts && asksForVisitors(ready)) visitors.note(request.firstSlug, visit.visitor());
    return rule;
  };

  const isPerson = ({ firstSlug, address, headers }: VisitRequest): boolean =>
    classify(noteScan(firstSlug, address, headers)).kind === 'person';

  /**
   * @param counts Whether the visit counts: it is not one of those who only look.
   * @param isOpen Whether the visitor has given the password.
   */
  return (
    found: Redirect,
    from: Omit<VisitRequest, 'firstSlug'>,
    { counts, isOpen }: { readonly counts: boolean; readonly isOpen: boolean },
  ): Followed => {
    if (found.kind !== 'found') return found;
    const { guard, firstSlug, destination, maxAgeS } = found;
    if (guard === null) return { kind: 'found', destination, firstSlug, rule: '', maxAgeS };
    const { passwordHash, visitLimit, rulesKey, people } = guard.by;
    if (visitLimit !== null && limits.isReached(firstSlug, visitLimit, people)) {
      const atLimit = guard.atLimit();
      return atLimit.kind === 'found' ? { ...atLimit, rule: '' } : atLimit;
    }
    if (passwordHash !== null && !isOpen) return { kind: 'locked', passwordHash };
    const request = { firstSlug, headers: from.headers, address: from.address, url: from.url };
    // They were kept when the link was looked up. If there are too many since, it cannot be looked up either.
    const ready = rulesKey === null ? [] : rules.find(rulesKey);
    if (ready === undefined) return { kind: 'unavailable' };
    const rule = ready.length === 0 ? null : ruleFor(ready, request, counts);
    const answer = rule === null ? found : guard.leadTo(rule.destination);
    if (answer.kind !== 'found') return answer;
    if (counts && visitLimit !== null && isPerson(request)) limits.note(firstSlug);
    return { kind: 'found', destination: answer.destination, firstSlug, rule: rule?.name ?? '', maxAgeS: 0 };
  };
};
