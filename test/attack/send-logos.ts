import type { Field } from './attack.ts';

/** Logos from each account, because the service bounds how often one account may fail. */
const PER_ACCOUNT = 8;
const PARALLEL = 3;
const MAX_MS = 20_000;
/** The statuses that a request may get, whatever its logo. */
const FINE = [200, 400, 413, 429, 503];

/** Asks for a small picture with each logo, from accounts of the attack's own. */
export const sendLogos = async (
  { ask, expect, account }: Field,
  logos: readonly (readonly [name: string, image: string])[],
): Promise<void> => {
  const queue = [...logos];
  const send = async (): Promise<void> => {
    while (queue.length > 0) {
      const { key } = await account();
      for (const [name, image] of queue.splice(0, PER_ACCOUNT)) {
        const body = { data: 'x', width: 64, height: 64, image };
        const { status, ms } = await ask({ method: 'POST', path: '/api/v1/qr', key, body });
        expect(status !== null && FINE.includes(status), `${name}: ${status}`);
        expect(ms < MAX_MS, `${name}: ${Math.round(ms)} ms`);
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, send));
};
