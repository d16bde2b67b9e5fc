/** Scans counted by what is known of visitors. */
import { namesOf } from '../../../workers/lists.ts';
import type { Sql } from '../../db/client.ts';
import {
  type Breakdowns,
  type BrokenDown,
  CLIENT,
  REFERRERS_MAX,
  type Sum,
  toBreakdowns,
} from '../../db/tables/scans/breakdowns.ts';
import type { Span } from '../../db/tables/scans/scanned.ts';
import { BREAKDOWNS, OTHER } from '../../lists.ts';
import type { ClickHouse } from '../client.ts';
import { quartersAround, scopeOf, within } from './scope.ts';

/** The breakdowns whose dimension is their own column. */
const ALONE = namesOf(BREAKDOWNS).filter((name) => !CLIENT.includes(name));

const JOINED = `concat(${CLIENT.join(", '/', ")})`;

/** Which of the sets a row is of: `grouping` is 0 for the columns of its set. */
const DIMENSION = `multiIf(${ALONE.map((name) => `grouping(${name}) = 0, '${name}'`).join(', ')}, 'client')`;
const VALUE = `multiIf(${ALONE.map((name) => `grouping(${name}) = 0, toString(${name})`).join(', ')}, ${JOINED})`;
const SETS = [CLIENT, ...ALONE.map((name) => [name])].map((columns) => `(${columns.join(', ')})`).join(', ');

const SUMS = 'sum(people) as people, sum(bots) as bots, sum(previews) as previews';

/** Only referrers are many; the first ones have rows of their own. */
const queryOf = (where: string): string => `
  with sums as (
    select ${DIMENSION} as dimension, ${VALUE} as value, countIf(kind = 'person') as people, countIf(kind = 'bot') as bots,
      countIf(kind = 'preview') as previews
    from scans where ${where} group by grouping sets (${SETS})
  ), ranked as (
    select *, row_number() over (
      partition by dimension order by value = '${OTHER}', people desc, bots + previews desc, value) as rank
    from sums where value <> ''
  )
  select dimension, shown as value, ${SUMS}
  from (
    select dimension, if(dimension = 'referrer_host' and rank > ${REFERRERS_MAX}, '${OTHER}', value) as shown, people, bots,
      previews
    from ranked
  ) group by dimension, shown`;

/** Returns the breakdowns of scans in a span, widened to whole quarters of an hour. */
export const readBreakdowns = async (
  clickhouse: ClickHouse,
  sql: Sql,
  { from, to, ...scanned }: Span & BrokenDown,
): Promise<Breakdowns> => {
  const { where, parameters } = await scopeOf(sql, scanned);
  const span = { from, to };
  const ends = 'rule' in scanned ? { from: from.getTime(), to: to.getTime() } : quartersAround(span);
  const sums = await clickhouse.read<Sum>(queryOf(`${where} and ${within('from', 'to')}`), {
    ...parameters,
    ...ends,
  });
  return toBreakdowns(sums);
};
