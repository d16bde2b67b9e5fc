import { availableParallelism } from 'node:os';
import type { FileFormat } from '../../../../workers/lists.ts';
import type { Design, PrintTerms, Rendered } from '../../../../workers/protocol.ts';
import { drawnFormat } from '../../../generate/file.ts';
import { noTimings } from '../../../generate/parts.ts';
import { planTask } from '../../../generate/task.ts';
import { createLogoFitter } from '../../../logo/fit.ts';
import type { FoundLogo } from '../../../logo/outcome.ts';
import { createLogoSource } from '../../../logo/source.ts';
import { createRenderPool } from '../../../render/pool.ts';
import { createWebpWriter } from '../../../render/webp.ts';
import { ok, type Result, refused } from '../../../result.ts';
import { commandError } from '../../fault.ts';
import type { Output } from '../../terminal.ts';

interface ToDraw {
  readonly text: string;
  /** Laid out for its format. */
  readonly design: Design;
  readonly print?: PrintTerms;
  readonly found: FoundLogo | null;
  readonly format: FileFormat;
}

/** The render threads of a command. */
export type Drawing = Awaited<ReturnType<typeof createDrawing>>;

/** One caller: the command. */
const ACCOUNT_ID = 'command';
const CACHE_MAX_BYTES = 64 * 1024 * 1024;
const LOGO_MAX_BYTES = 16 * 1024 * 1024;
const LOGO_TIMEOUT_MS = 30_000;
const QUEUE = { queueMax: 10_000, queueMaxBytes: 1024 * 1024 * 1024 };
const DEADLINE_MS = 600_000;

/** Starts this many render threads, but no more than the machine runs at once. @param err Receives their errors. */
export const createDrawing = async (err: Output, threadsMax: number) => {
  const tell = (_: object, message: string): void => void err.write(`${message}\n`);
  const threads = Math.min(availableParallelism(), threadsMax);
  const pool = createRenderPool({ ...QUEUE, threads, hasExpress: false, onStuck: () => {} }, { error: tell });
  const logos = createLogoSource(
    { maxBytes: LOGO_MAX_BYTES, fetchTimeoutMs: LOGO_TIMEOUT_MS, cacheMaxBytes: CACHE_MAX_BYTES },
    { debug: () => {}, warn: tell },
  );
  const fitLogo = createLogoFitter(CACHE_MAX_BYTES);
  const webp = createWebpWriter();
  await pool.ready();

  const draw = async (file: ToDraw, tries: number): Promise<Result<Rendered, string>> => {
    const planned = await planTask(fitLogo, { ...file, format: drawnFormat(file.format) });
    if (!planned.ok) return refused(`${planned.fault.field}: ${planned.fault.message}`);
    const { task, estimatedMs } = planned.value;
    const { outcomes } = await pool.render({
      ...{ tasks: [task], estimatedMs: [estimatedMs] },
      ...{ accountId: ACCOUNT_ID, kind: 'bulk', deadlineMs: Date.now() + DEADLINE_MS },
    });
    const [outcome] = outcomes;
    if (outcome!.ok) return ok(outcome!.value);
    const { fault } = outcome!;
    if (fault.reason === 'unfit') return refused(`${fault.fault.field}: ${fault.fault.message}`);
    if (tries > 1) return draw(file, tries - 1);
    throw commandError('a file could not be drawn on this machine; run the same command again');
  };

  return {
    /** Finds the logo of an item; `null` without one. Returns why it cannot be used. */
    async findLogo(image: string | undefined): Promise<Result<FoundLogo | null, string>> {
      if (image === undefined) return ok(null);
      const found = await logos.resolve(image, { accountId: ACCOUNT_ID });
      return found.ok ? found : refused(`image: ${found.fault.message}`);
    },
    /**
     * Draws a file. Returns why it cannot be drawn as asked.
     *
     * @throws {CliFault} when a render thread failed on it twice.
     */
    async draw(file: ToDraw): Promise<Result<Rendered, string>> {
      const drawn = await draw(file, 2);
      if (!drawn.ok || file.format !== 'webp') return drawn;
      return ok({ ...drawn.value, bytes: await webp.write(drawn.value.bytes, ACCOUNT_ID, noTimings()) });
    },
    async close(): Promise<void> {
      webp.close();
      await Promise.all([logos.close(), pool.close({ timeoutMs: 1000 })]);
    },
  };
};
