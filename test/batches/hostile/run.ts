/** Runs hostile cases against a gateway, one after the other, and reports what went wrong. */
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '../../servers/account.ts';
import { until } from '../../servers/until.ts';
import type { Case, Field, Scale } from './cases.ts';
import { type Attacker, createAttacker, filesIn, type Target } from './target.ts';

export interface HostileVerdict {
  readonly name: string;
  /** Peak resident memory of the gateway during the case, above its level before the first case. */
  readonly peakMegabytes: number | null;
  /** The longest that another account waited for a picture. */
  readonly slowestMs: number;
  readonly seconds: number;
  readonly faults: readonly string[];
}

const MEGABYTE = 1024 * 1024;
/** The limit of the issue: resident memory of a gateway above idle, also while it receives. */
const PEAK_MAX_MEGABYTES = 250;
const CUSTOMER_EVERY_MS = 100;
const BUSY_SHARE_MAX = 0.05;

/** Resident memory of a process, now and at its peak; `null` where `/proc` does not have it. */
const memoryOf = async (pid: number): Promise<{ now: number; peak: number } | null> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null);
  if (status === null) return null;
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return { now: (kilobytes('VmRSS') * 1024) / MEGABYTE, peak: (kilobytes('VmHWM') * 1024) / MEGABYTE };
};

/** Resets the peak of the resident memory to its present value. */
const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => {});

/** Another account, which draws a picture now and then. */
const startCustomer = async ({ url, adminToken }: Target) => {
  const { key } = await createAccount(url, adminToken, 'customer');
  const ending = new AbortController();
  const seen = { asked: 0, slowestMs: 0, refused: [] as number[] };
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const startedMs = performance.now();
      const answer = await fetch(`${url}/api/v1/qr`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{"data":"customer"}',
      });
      await answer.arrayBuffer();
      seen.asked += 1;
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - startedMs);
      if (answer.status !== 200) seen.refused.push(answer.status);
      await sleep(CUSTOMER_EVERY_MS);
    }
  };
  const running = run();
  return {
    seen,
    async end() {
      ending.abort();
      await running;
    },
  };
};

const createField = (target: Target, scale: Scale, attacker: Attacker, faults: string[]): Field => {
  const expect = (holds: boolean, what: string): void => {
    if (!holds) faults.push(what);
  };
  return {
    target,
    scale,
    attacker,
    expect,
    async refused(upload, status, pattern) {
      const answer = await attacker.upload(upload);
      // When a body is not read to its end, the connection is closed, which may lose the answer.
      if (answer.status === null && !Buffer.isBuffer(upload.body) && typeof upload.body !== 'string') return;
      const holds = answer.status === status && pattern.test(String(answer.json.details));
      expect(holds, `${answer.status} ${answer.text.slice(0, 300)}, not ${status} ${pattern}`);
    },
    async fails(upload, { row, field, message }) {
      const sent = await attacker.upload(upload);
      const { batch, error } = await attacker.ended(sent);
      const holds =
        sent.status === 202 &&
        batch.state === 'failed' &&
        (row === undefined || error.row === row) &&
        (field === undefined || error.field === field) &&
        (message === undefined || message.test(String(error.message)));
      expect(
        holds,
        `${sent.status} ${batch.state} ${JSON.stringify(error).slice(0, 300)}, not row ${row} ${field} ${message}`,
      );
    },
  };
};

/** Runs cases. @param pid The process of the gateway. */
export const runHostile = async (
  target: Target,
  pid: number,
  cases: readonly Case[],
  { scale, onVerdict }: { readonly scale: Scale; onVerdict(verdict: HostileVerdict): void },
): Promise<void> => {
  const before = await memoryOf(pid);
  for (const { name, units = 0, run } of cases) {
    const faults: string[] = [];
    // The units of the case may be used.
    const kept = (await filesIn(target.store)).length + (units > 0 ? 1 : 0);
    const attacker = await createAttacker(target, { name });
    const customer = await startCustomer(target);
    await forgetPeak(pid);
    const startedMs = performance.now();
    await run(createField(target, scale, attacker, faults)).catch((error: Error) =>
      faults.push(String(error.stack)),
    );
    await attacker.idle();
    const seconds = (performance.now() - startedMs) / 1000;
    await customer.end();
    const memory = await memoryOf(pid);
    const peakMegabytes = before === null || memory === null ? null : Math.round(memory.peak - before.now);
    if (peakMegabytes !== null && peakMegabytes > PEAK_MAX_MEGABYTES)
      faults.push(`the gateway took ${peakMegabytes} MB more than before`);
    const used = await attacker.used();
    if (used !== units) faults.push(`${used} units are used`);
    const { asked, refused } = customer.seen;
    // A machine that is busy with other work causes some 503, too.
    if (refused.some((status) => status !== 503) || refused.length > BUSY_SHARE_MAX * asked + 1)
      faults.push(`another account got ${refused.join(', ')} in ${asked} calls`);
    await until(async () => (await filesIn(target.store)).length <= kept, { deadlineMs: 20_000 }).catch(
      async () =>
        faults.push(`files are left in the store: ${(await filesIn(target.store)).slice(0, 5).join(', ')}`),
    );
    onVerdict({ name, peakMegabytes, slowestMs: Math.round(customer.seen.slowestMs), seconds, faults });
  }
};
