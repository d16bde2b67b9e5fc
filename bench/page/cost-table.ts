/** What requests cost as a table. Pure. */
import { figure } from '../say.ts';
import { sum } from '../stats.ts';
import type { CostBar } from './model.ts';
import type { Table } from './text.ts';

/** Shows the microseconds of each part, and of all parts. */
export const costTable = (costs: readonly CostBar[]): Table => {
  const parts = [...new Set(costs.flatMap(({ us }) => Object.keys(us)))];
  return {
    head: ['us of processor time', ...parts, 'all'],
    rows: costs.map(({ label, us }) => [
      label,
      ...parts.map((part) => figure(us[part] ?? 0)),
      figure(sum(Object.values(us))),
    ]),
  };
};
