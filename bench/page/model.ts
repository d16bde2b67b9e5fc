/** What the report is made of: as it lies in `bench/report/*.json`. */
import type { Cost, Little } from '../capacity/find.ts';
import type { Plan } from '../capacity/plan.ts';
import type { Found } from '../capacity/search.ts';
import type { Slo } from '../capacity/slo.ts';
import type { Level, Usl } from '../capacity/usl.ts';
import type { Mix } from '../load/mix.ts';
import type { Machine } from '../machine.ts';
import type { Measured, Outcome } from '../stages/compare.ts';
import type { Fairness } from '../stages/fairness.ts';
import type { LatencyRun } from '../stages/latency.ts';
import type { Overload } from '../stages/overload.ts';
import type { Shares } from '../stages/parts.ts';

export interface BenchReport {
  /** ISO 8601. */
  readonly at: string;
  readonly command: string;
  readonly machine: Machine;
  readonly settings: Readonly<Record<string, string>>;
  readonly measured: readonly Measured[];
  readonly outcomes: readonly Outcome[];
  /** Bytes of a picture, by scenario. */
  readonly pictureBytes: Readonly<Record<string, number>>;
  /** What drawing goes to, by scenario. */
  readonly parts: Readonly<Record<string, Shares>>;
  readonly latencies: readonly LatencyRun[];
  readonly overload: Overload | null;
  readonly fairness: Fairness | null;
  /** Ratios of the run before this one, by the target's name. */
  readonly last: { readonly at: string; readonly ratios: Readonly<Record<string, number>> } | null;
}

export interface CapacityReport {
  readonly at: string;
  readonly command: string;
  readonly machine: Machine;
  readonly slo: Slo;
  readonly mix: Mix;
  /** `null`: a gateway of its own. */
  readonly url: string | null;
  readonly found: Found;
  readonly little: Little;
  readonly cost: Cost;
  readonly plan: Plan;
  readonly threads: { readonly levels: readonly Level[]; readonly usl: Usl } | null;
  /** Highest rate that held in the run before this one, when it had the same objective and mix. */
  readonly last: { readonly at: string; readonly ratePerS: number } | null;
}

export const nameOf = ({ target }: Outcome): string =>
  `${target.of}${target.measure === 'codesPerS' ? ' (codes)' : ''} / ${target.to}`;
