/** What several machines of the measured kind would serve, from the same cost curves as `--plan`. Pure. */
import { type Spent, totalOf } from '../cpu.ts';
import { BUSY_SHARE, type Law, type Rates, redisCeilingPerS, usAt } from '../model/curve.ts';
import { OUTAGE_BYTES_A_CALL } from '../model/plan/room.ts';
import { figure, percent } from '../say.ts';

/** What one machine achieved. */
export interface PlanInput {
  readonly law: Law;
  readonly mix: Rates;
  /** The rate of one machine that met the objective, in requests a second. */
  readonly ratePerS: number;
  readonly codesARequest: number;
  /** Bytes of an average answer. */
  readonly bytesAnAnswer: number;
  /** Processor time of one request at that rate in microseconds; `null` when it could not be measured. */
  readonly us: Spent | null;
}

const OUTAGE_S = 3600;

/** Extrapolates from one machine. The ceiling of the curves is scaled by what Redis took at the measured rate. */
export const planFor = ({ law, mix, ratePerS, codesARequest, bytesAnAnswer, us }: PlanInput) => {
  const predicted = usAt(law, mix, ratePerS, 1);
  const real = us ?? predicted;
  const ceilingPerS = (redisCeilingPerS(law, mix, BUSY_SHARE) * predicted.redis) / real.redis;
  const machines = Math.max(1, Math.floor(ceilingPerS / ratePerS));
  const error = us === null ? null : totalOf(us) / totalOf(predicted) - 1;
  const memoryMb = (ratePerS * OUTAGE_S * OUTAGE_BYTES_A_CALL) / 1e6;
  return {
    /** The rate of all machines that keeps one Redis busy to `BUSY_SHARE`. */
    ceilingPerS,
    /** Measured / predicted - 1 for the processor time of a request, all parts together; `null` without a measurement. */
    error,
    sentences: [
      `Each machine adds ${figure(ratePerS)} requests (${figure(ratePerS * codesARequest)} codes) a second, until one Redis is ${percent(BUSY_SHARE)} busy at ${figure(ceilingPerS)} requests a second, with ${machines === 1 ? 'one machine' : `${machines} machines`}; beyond that Redis needs to be a cluster. Gateways share nothing but the stores.`,
      `For each of them Postgres needs ${figure((ratePerS * real.postgres) / 1e6)} cores, Redis ${figure(memoryMb)} MB for an hour without Postgres, and answers take ${figure((ratePerS * bytesAnAnswer * 8) / 1e6)} Mbit a second without headers and TLS.`,
      error === null
        ? '“Machine” means all that serves that address together. What the stores take is that of the cost model, since it could not be measured.'
        : `The cost model is ${percent(Math.abs(error))} from what a request took here. Redis, Postgres and the generator ran on the same machine: without them a gateway serves more.`,
      'More than twice what was measured is an extrapolation. Months, events, prices and spare machines: npm run capacity -- --plan.',
    ],
  };
};

/** What follows for several machines. */
export type MachinesPlan = Readonly<ReturnType<typeof planFor>>;
