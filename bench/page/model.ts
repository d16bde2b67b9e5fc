/** The data of the report, as `bench/report/*.json` holds it. */
import type { Confirmation } from '../capacity/confirm.ts';
import type { Cost, Little } from '../capacity/find.ts';
import type { Plan } from '../capacity/plan.ts';
import type { Found } from '../capacity/search.ts';
import type { Slo } from '../capacity/slo.ts';
import type { Level, Usl } from '../capacity/usl.ts';
import { ratioName } from '../compare/figures.ts';
import type { Mix } from '../load/mix.ts';
import type { Machine } from '../machine.ts';
import type { Measured, Outcome } from '../stages/compare.ts';
import type { Fairness } from '../stages/fairness.ts';
import type { LatencyRun } from '../stages/latency.ts';
import type { Overload } from '../stages/overload.ts';
import type { Shares } from '../stages/parts.ts';

/** The results of `npm run bench`. What was not measured is empty or `null`. */
export interface BenchReport {
  /** ISO 8601. */
  readonly at: string;
  readonly command: string;
  readonly machine: Machine;
  readonly settings: Readonly<Record<string, string>>;
  readonly measured: readonly Measured[];
  readonly outcomes: readonly Outcome[];
  /** Bytes of one picture, by scenario. */
  readonly pictureBytes: Readonly<Record<string, number>>;
  /** How drawing divides its time, by scenario. */
  readonly parts: Readonly<Record<string, Shares>>;
  readonly latencies: readonly LatencyRun[];
  readonly overload: Overload | null;
  readonly fairness: Fairness | null;
  /** Ratios of the run before this one, by `nameOf`; `null` for a first run. */
  readonly last: { readonly at: string; readonly ratios: Readonly<Record<string, number>> } | null;
}

/** The results of `npm run capacity`. */
export interface CapacityReport {
  readonly at: string;
  readonly command: string;
  readonly machine: Machine;
  readonly slo: Slo;
  readonly mix: Mix;
  /** The deployment that was loaded; `null` for a gateway of the run's own. */
  readonly url: string | null;
  readonly found: Found;
  /** By the independent generator; its rate is that of `found`. */
  readonly confirmation: Confirmation;
  readonly little: Little;
  readonly cost: Cost;
  readonly plan: Plan;
  readonly threads: { readonly levels: readonly Level[]; readonly usl: Usl } | null;
  /** The rate found by the run before this one; `null` when it had another objective or mix. */
  readonly last: { readonly at: string; readonly ratePerS: number } | null;
}

/** What one request of a kind costs each part. */
export interface CostBar {
  readonly label: string;
  /** Microseconds of processor time, by the name of the part. */
  readonly us: Readonly<Record<string, number>>;
}

/** What requests cost, as `npm run bench:costs` measures it. */
export interface CostReport {
  readonly at: string;
  readonly command: string;
  readonly machine: Machine;
  readonly costs: readonly CostBar[];
}

/** Returns the name of a ratio in reports. */
export const nameOf = ({ target }: Outcome): string => ratioName(target);
