/** Says where a short link leads a visit that the caller describes, and why. */
import Type from 'typebox';
import { getRuleSet } from '../../../../db/tables/rules/rule-sets.ts';
import { scanTotals } from '../../../../db/tables/scans/scans.ts';
import { orNull } from '../../../../stored-json.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireLink } from '../../../auth/require-found.ts';
import { DomainQuery } from '../../../domain.ts';
import { SlugParams, strict, Timestamp } from '../../../schemas/atoms.ts';
import { CONDITIONS } from '../../../schemas/rules/rules.ts';
import type { Need } from '../../services.ts';

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));

const DescribedVisit = Type.Object(
  {
    at: Type.Optional({ ...Timestamp, description: 'When it happens. Absent: now.' }),
    user_agent: text(512, 'The header `User-Agent`.'),
    accept_language: text(1000, 'The header `Accept-Language`.'),
    address: text(45, 'The IP address of the visitor, for its place and for shares.'),
    country: text(2, 'Instead of what is known of the address, as are `region` and `city`.'),
    region: text(6, 'As in rules, such as `DE-BY`.'),
    city: text(100, 'Its English name.'),
    query: text(2000, 'The query behind the short link, such as `utm_source=poster`.'),
    visit: Type.Optional(
      Type.Enum(['first', 'later'], { default: 'first', description: 'Whether the visitor was here today.' }),
    ),
  },
  {
    ...strict,
    title: 'DescribedVisit',
    examples: [{ accept_language: 'de-CH,de;q=0.9', country: 'CH', query: 'utm_source=poster' }],
  },
);

const ExplanationBody = Type.Object(
  {
    outcome: Type.Enum(['before_start', 'after_end', 'limit_reached', 'rule', 'none'], {
      description: '`none`: no rule holds, so the link leads to its `destination`.',
    }),
    destination: orNull(
      Type.String({
        description:
          'As the link or its rule has it, without what a visit fills in and adds; null: nowhere, as a deleted link.',
      }),
    ),
    rule: orNull(Type.String({ description: 'The rule that decides.' })),
    needs_password: Type.Boolean({ description: 'Whether the visitor is asked for a password before.' }),
    tried: Type.Array(
      Type.Object(
        {
          rule: Type.String(),
          fires: Type.Boolean(),
          condition: orNull(
            Type.Enum([...CONDITIONS], { description: 'The first condition that does not hold.' }),
          ),
          found: orNull(Type.String({ description: 'What the visit has for it; empty: it is not known.' })),
        },
        { title: 'TriedRule' },
      ),
      { description: 'The rules that were asked, in order; later ones were not.' },
    ),
  },
  { title: 'Explanation' },
);

/** Adds the route that explains. */
export const explainRoute = ofAccount(
  { tag: 'Links', name: 'links' },
  (route, { database: { sql }, links }: Need<'database' | 'links'>) => {
    route('POST /links/:slug/explain', {
      operationId: 'explainLink',
      summary: 'Where a short link leads a visit that you describe, and why',
      description: 'Nothing is counted. What you leave out is not known of the visit.',
      params: SlugParams,
      querystring: DomainQuery,
      body: DescribedVisit,
      answer: ExplanationBody,
      handle: async ({ params, query: named, body }, { accountId }) => {
        const link = await requireLink(sql, accountId, params.slug, named.domain);
        const { firstSlug, ruleSetId, passwordHash } = link;
        const set = ruleSetId === null ? null : await getRuleSet(sql, accountId, ruleSetId);
        const here = (await scanTotals(sql, [firstSlug])).get(firstSlug)?.people ?? 0;
        const people = link.importedScans + here;
        const { at, user_agent, accept_language, address, country, region, city, query, visit } = body;
        const explained = links.explain(
          { link, setRules: set?.rules ?? [], people },
          {
            at: at === undefined ? new Date() : new Date(at),
            userAgent: user_agent ?? '',
            acceptLanguage: accept_language ?? '',
            ...{ address: address ?? '', country: country ?? '', region: region ?? '', city: city ?? '' },
            ...{ query: query ?? '', visit: visit ?? 'first' },
          },
        );
        const isLed = explained.outcome === 'rule' || explained.outcome === 'none';
        return {
          ...explained,
          needs_password: isLed && passwordHash !== null,
          tried: explained.tried.map((tried) => ({ ...tried })),
        };
      },
    });
  },
);
