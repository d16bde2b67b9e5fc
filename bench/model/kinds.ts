/** The kinds of calls of the cost model, and how long it takes to measure them. */
import { Misuse } from '../../test/support/command.ts';
import { GATEWAY_RECIPES } from '../load/recipes.ts';
import { BATCH_CODE, type Kind } from './model.ts';

/** A call of the first takes seconds. Batches are measured by the code, because most of their work follows the answer. */
const LEFT_OUT: readonly Kind[] = ['gradient flood', 'batch 100'];
/** The kinds that can be measured. */
export const KINDS: readonly Kind[] = [
  ...GATEWAY_RECIPES.filter((name) => !LEFT_OUT.includes(name)),
  BATCH_CODE,
];

/** Whether it can be measured. */
export const isKind = (name: string): name is Kind => (KINDS as readonly string[]).includes(name);

/** Parses names that are separated by commas; none stands for all. @throws {Misuse} When there is no such kind. */
export const kindsOf = (names: string): readonly Kind[] => {
  if (names === '') return KINDS;
  return names.split(',').map((part) => {
    const name = part.trim();
    if (isKind(name)) return name;
    throw new Misuse(`--kinds: there is no kind "${name}"; there are ${KINDS.join(', ')}`);
  });
};

/** How to measure. */
export interface Effort {
  /** Seconds of each load. */
  readonly seconds: number;
  readonly rounds: number;
}

/** Without other options. */
export const USUAL: Effort = { seconds: 3, rounds: 2 };
/** With `--quick`. */
export const QUICK: Effort = { seconds: 1, rounds: 1 };

/** Returns about how many minutes a measurement takes. */
export const minutesOf = (kinds: number, { seconds, rounds }: Effort): number =>
  Math.ceil((60 + kinds * (10 + rounds * (3 + 8 * seconds))) / 60);
