import { gtinOf } from '../../test/servers/account.ts';
import { startTestbed } from '../../test/servers/testbed.ts';
import { startGenerator } from '../load/fire.ts';
import { atMost } from '../verdict.ts';
import type { Part } from './part.ts';
import { costVerdicts, measureInTurns } from './turns.ts';

const REQUESTS = 6000;
const ROUNDS = 9;
const ITEMS = 100;
const RISE_MAX = 1.3;

/** Makes an item for each GTIN and one for a lot of it. Returns URI paths of each kind. */
const createItems = async (
  url: string,
  key: string,
): Promise<Readonly<Record<string, readonly string[]>>> => {
  const gtins = Array.from({ length: ITEMS }, (_, n) => gtinOf(n));
  const rows = gtins.flatMap((gtin) => [
    `(01)${gtin},gs1:pip,https://example.com/en/${gtin},Product,en,true`,
    `(01)${gtin},gs1:pip,https://example.com/fr/${gtin},Produit,fr,`,
    `(01)${gtin}(10)LOT1,gs1:recallStatus,https://example.com/lot/${gtin},Recall,,true`,
  ]);
  const answer = await fetch(`${url}/api/v1/resolver/items/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    body: `key,rel,href,title,hreflang,default\n${rows.join('\n')}\n`,
  });
  if (!answer.ok) throw new Error(`the import answered ${answer.status}: ${await answer.text()}`);
  return {
    'a GTIN': gtins.map((gtin) => `/01/${gtin}`),
    'a lot': gtins.map((gtin) => `/01/${gtin}/10/LOT1`),
    'an unknown serial number': gtins.map((gtin, n) => `/01/${gtin}/21/SERIAL${n}`),
    'a link type': gtins.map((gtin) => `/01/${gtin}?linkType=gs1:pip`),
  };
};

/** The cost of a redirect by the resolver. */
export const resolver: Part = {
  about: 'the cost of a redirect by the resolver, compared with that of a short link',
  async run(scope, { share }) {
    const env = { GATEWAYS: '1', RENDER_THREADS: '1' };
    const testbed = await startTestbed(scope, { run: 'resolver', env });
    const { url } = testbed.gateway;
    const common = { ...testbed, requests: Math.ceil(REQUESTS * share), connections: 32 };
    const kinds = Object.entries(await createItems(url, testbed.aim.key));
    const turns = [
      { ...common, name: 'a short link', kind: 'redirect' as const },
      ...kinds.map(([name, paths]) => ({
        ...{ ...common, name, kind: 'resolve' as const },
        aim: { ...testbed.aim, uris: paths },
      })),
    ];
    const costs = await measureInTurns(startGenerator(scope), turns, Math.ceil(ROUNDS * share));
    return [
      ...costs.flatMap(costVerdicts),
      ...costs
        .slice(1)
        .map(({ name, ratio }) => atMost(`${name} against a short link`, ratio, RISE_MAX, 'times')),
    ];
  },
};
