/** Explains where a link leads a visit that somebody describes. Counts nothing. */
import type { Link } from '../../db/tables/links.ts';
import type { ConditionName, Rule } from '../../db/tables/rules/rule.ts';
import { explain, readyRules } from './decide.ts';
import { factsOf, type VisitParts } from './facts.ts';

/** A visit in the words of whoever asks. '' is not known. */
export interface DescribedVisit {
  readonly at: Date;
  readonly userAgent: string;
  readonly acceptLanguage: string;
  readonly address: string;
  /** '' for all three: that of the address. */
  readonly country: string;
  readonly region: string;
  readonly city: string;
  /** Without the question mark. */
  readonly query: string;
  readonly visit: 'first' | 'later';
}

/** Why a visit is led where it is. */
export interface Explanation {
  /** `none`: no rule fits, so it is the destination. */
  readonly outcome: 'before_start' | 'after_end' | 'limit_reached' | 'rule' | 'none';
  /** `null`: nowhere. */
  readonly destination: string | null;
  readonly rule: string | null;
  readonly tried: readonly {
    readonly rule: string;
    readonly fires: boolean;
    readonly condition: ConditionName | null;
    readonly found: string | null;
  }[];
}

/** What a link is asked with. @param people Whom it has led so far. @param setRules Those of its rule set. */
interface Asked {
  readonly link: Link;
  readonly setRules: readonly Rule[];
  readonly people: number;
}

/** Makes the function that explains. */
export const createExplain =
  ({ classify, places }: Pick<VisitParts, 'classify' | 'places'>) =>
  ({ link, setRules, people }: Asked, visit: DescribedVisit): Explanation => {
    const { activeFrom, activeUntil, beforeDestination, afterDestination, visitLimit, destination } = link;
    const without = (outcome: Explanation['outcome'], leadsTo: string | null): Explanation => ({
      ...{ outcome, destination: leadsTo, rule: null, tried: [] },
    });
    if (activeFrom !== null && visit.at < activeFrom) return without('before_start', beforeDestination);
    if (activeUntil !== null && visit.at >= activeUntil) return without('after_end', afterDestination);
    if (visitLimit !== null && people >= visitLimit) return without('limit_reached', afterDestination);
    const { country, region, city, userAgent, acceptLanguage, address, query } = visit;
    const isPlaced = `${country}${region}${city}` !== '';
    const facts = factsOf(
      {
        firstSlug: link.firstSlug,
        headers: { 'user-agent': userAgent, 'accept-language': acceptLanguage },
        address,
        url: `?${query}`,
      },
      {
        classify,
        places: isPlaced ? { placeOf: () => ({ country, region, city }) } : places,
        visitors: { isFirst: () => visit.visit === 'first', note: () => {} },
      },
    );
    const rules = readyRules([...(link.rules ?? []), ...setRules]);
    const tried = explain(rules, { ...facts, atMs: visit.at.getTime() });
    const last = tried.at(-1);
    const fired = last?.failed === null ? rules[tried.length - 1] : undefined;
    return {
      outcome: fired === undefined ? 'none' : 'rule',
      destination: fired?.destination ?? destination,
      rule: fired?.name ?? null,
      tried: tried.map(({ rule, failed }) => ({
        ...{
          rule,
          fires: failed === null,
          condition: failed?.condition ?? null,
          found: failed?.found ?? null,
        },
      })),
    };
  };
