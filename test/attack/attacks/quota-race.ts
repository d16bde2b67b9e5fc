import type { Attack } from '../attack.ts';

const UNITS = 20;
const CALLS = 60;

export const quotaRace: Attack = {
  name: 'quota-race',
  holds: `${CALLS} parallel calls of an account with ${UNITS} units get at most ${UNITS} pictures, and pay for each`,
  needsAccount: true,
  async run({ ask, expect, account }) {
    const { key } = await account({ monthlyQuota: UNITS });
    const single = (i: number) =>
      ask({ method: 'POST', path: '/api/v1/qr', key, body: { data: `race ${i}` } });
    const image = (i: number) => ask({ path: `/api/v1/render?key=${key}&content=race${i}` });
    const answers = await Promise.all(
      Array.from({ length: CALLS }, (_, i) => (i % 2 ? single(i) : image(i))),
    );
    const made = answers.filter(({ status }) => status === 200).length;
    expect(made > 0 && made <= UNITS, `${made} pictures for ${UNITS} units`);
    expect(
      answers.every(({ status }) => status === 200 || status === 429 || status === 503),
      'a call got a status other than 200, 429 and 503',
    );

    const usage = await ask({ path: '/api/v1/usage', key });
    expect(
      usage.status !== 200 || usage.json.usage_count === made,
      `${made} made, ${usage.json?.usage_count} paid`,
    );
    const items = Array.from({ length: UNITS - made + 1 }, () => ({ data: 'x' }));
    const batches = [1, 2, 3].map(() =>
      ask({ method: 'POST', path: '/api/v1/qr/bulk', key, body: { items } }),
    );
    for (const { status } of await Promise.all(batches)) {
      expect(status === 429 || status === 503, `a batch larger than the remaining quota: ${status}`);
    }
  },
};
