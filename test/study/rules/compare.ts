/** Decides random requests by the product and by the model. */
import { createRandom } from '../../../bench/stats.ts';
import type { Rule } from '../../../src/db/tables/rules/rule.ts';
import { createScanClassifier } from '../../../src/links/classify.ts';
import { asksForVisitors, decide, explain, readyRules } from '../../../src/links/rules/decide.ts';
import { createVisitors, factsOf, type Visitors } from '../../../src/links/rules/facts.ts';
import { type Asked, askRules, createSeen } from './model.ts';
import { createDraw, type Request } from './requests.ts';

const REQUESTS_PER_LIST = 20;
const VISITORS_MAX = 5000;
const classify = createScanClassifier(1000);

/** A request that the two do not decide alike. */
export interface Disagreement {
  readonly rules: readonly Rule[];
  readonly request: Request;
  readonly model: readonly Asked[];
  readonly product: readonly Asked[];
}

/** How often the rules at each place led a visit. */
export interface Compared {
  readonly asked: number;
  readonly disagreements: readonly Disagreement[];
  /** By name of a rule; 'none': no rule. */
  readonly led: ReadonlyMap<string, number>;
}

/** What the product sees of a request. @param hasHeader Whether a header names its country. */
export const requestFacts = (request: Request, hasHeader: boolean, visitors: Visitors) => {
  const { link, at, address, userAgent, acceptLanguage, country, region, city, query } = request;
  const facts = factsOf(
    {
      firstSlug: link,
      headers: {
        'user-agent': userAgent,
        'accept-language': acceptLanguage,
        ...(hasHeader && country !== '' && { 'cf-ipcountry': country }),
      },
      address,
      url: `/l/${link}?${query}`,
    },
    { classify, places: { placeOf: () => ({ country, region, city }) }, visitors },
  );
  return { ...facts, atMs: at.getTime() };
};

/**
 * Compares decisions until `most` requests differ.
 *
 * @param seed A whole number from 1. The same seed draws the same requests.
 */
export const compareDecisions = (requests: number, seed: number, most = 5): Compared => {
  const random = createRandom(seed);
  const draw = createDraw(random);
  const visitors = createVisitors(VISITORS_MAX, () => 'salt');
  const seen = createSeen(VISITORS_MAX);
  const disagreements: Disagreement[] = [];
  const led = new Map<string, number>();
  let [rules, ready] = [[] as readonly Rule[], readyRules([])];
  let asked = 0;
  for (; asked < requests && disagreements.length < most; asked += 1) {
    if (asked % REQUESTS_PER_LIST === 0) {
      rules = draw.rules();
      ready = readyRules(rules);
    }
    const request = draw.request();
    const model = askRules(rules, { ...request, visit: seen.has(request) ? 'later' : 'first' });
    const facts = requestFacts(request, random() < 0.5, visitors);
    const product = explain(ready, facts).map(({ rule, failed }) => ({
      rule,
      condition: failed?.condition ?? null,
    }));
    const leads = model.at(-1)?.condition === null ? model.at(-1)!.rule : null;
    if (JSON.stringify(model) !== JSON.stringify(product) || (decide(ready, facts)?.name ?? null) !== leads)
      disagreements.push({ rules, request, model, product });
    led.set(leads ?? 'none', (led.get(leads ?? 'none') ?? 0) + 1);
    if (rules.some(({ when }) => when.visit !== undefined)) seen.note(request);
    if (asksForVisitors(ready)) visitors.note(request.link, facts.visitor());
  }
  return { asked, disagreements, led };
};
