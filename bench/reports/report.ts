/** The reports of runs, as `bench/report/*.json` holds them. */
import type { MachinesPlan } from '../capacity/plan.ts';
import type { Found } from '../capacity/search.ts';
import type { Slo } from '../capacity/slo.ts';
import type { Level, Usl } from '../capacity/usl.ts';
import type { Mix } from '../load/mix.ts';
import type { Machine } from '../machine.ts';
import type { Verdict } from '../say.ts';
import type { Measured, Outcome } from '../stages/compare.ts';
import type { LatencyRun } from '../stages/latency.ts';

interface Run {
  /** ISO 8601. */
  readonly at: string;
  readonly command: string;
  readonly machine: Machine;
}

/** The results of `npm run bench`. What was not measured is empty. */
export interface BenchReport extends Run {
  readonly settings: Readonly<Record<string, string>>;
  readonly measured: readonly Measured[];
  readonly outcomes: readonly Outcome[];
  /** Bytes of one picture, by scenario. */
  readonly pictureBytes: Readonly<Record<string, number>>;
  readonly latencies: readonly LatencyRun[];
  /** Verdicts on a gateway with three times the load that it can serve. */
  readonly overload: readonly Verdict[];
}

/** The results of `npm run capacity`. */
export interface CapacityReport extends Run {
  readonly slo: Slo;
  readonly mix: Mix;
  /** The deployment under load; `null` when the run started its own gateway. */
  readonly url: string | null;
  readonly found: Found;
  /** Processor time of a good answer of the last soak; `null` where it could not be measured. */
  readonly cost: Readonly<Record<'gatewayMs' | 'redisMs' | 'postgresMs', number | null>>;
  /** Bytes of an average answer of the soak. */
  readonly bytesAnAnswer: number;
  /** `null` when the cost model lacks a kind of the mix. */
  readonly plan: MachinesPlan | null;
  /** By number of gateway processes; `null` when not measured. */
  readonly gateways: { readonly levels: readonly Level[]; readonly usl: Usl } | null;
}
