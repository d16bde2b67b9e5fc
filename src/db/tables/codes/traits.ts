/** Filters by what codes are: dynamic or not, their grade, their age and their size. */
import type { Sql } from '../../client.ts';
import type { Fragment } from './look-up.ts';

/** What codes of a list have in common. */
export interface Traits {
  /** Only codes with a short link, or only those without one. Absent: both. */
  readonly isDynamic?: boolean;
  /** Only codes of these grades; a code without a picture has none. Absent: all codes. */
  readonly grades?: readonly number[];
  /** Only codes that were made at this time or later. */
  readonly createdFrom?: Date;
  /** Only codes that were made before this time. */
  readonly createdTo?: Date;
  /** Only codes of this width or more. */
  readonly minWidthPx?: number;
  /** Only codes of this width or less. */
  readonly maxWidthPx?: number;
}

const BEST = 4;

/** Whether only codes are wanted that an index of grades lists. Most codes have grade 4, and are not in it. */
export const isBelowBest = ({ grades }: Traits): boolean => grades !== undefined && !grades.includes(BEST);

/** An id before all ids of codes that were made at a time or later, and after those made earlier. */
const idAt = (at: Date): string => {
  const ms = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-0000-0000-000000000000`;
};

/** Returns the ids between which the codes of an age are. No code has one of them. */
export const idsOfAge = ({ createdFrom, createdTo }: Traits) => ({
  first: createdFrom === undefined ? '00000000-0000-0000-0000-000000000000' : idAt(createdFrom),
  last: createdTo === undefined ? 'ffffffff-ffff-ffff-ffff-ffffffffffff' : idAt(createdTo),
});

/** The condition that a code `c` is of an age, which begins with `and`. An index on ids in order reads no others. */
export const isOfAge = (sql: Sql, traits: Traits): Fragment => {
  const { first, last } = idsOfAge(traits);
  return sql`
  ${traits.createdFrom === undefined ? sql`` : sql`and c.id > ${first}`}
  ${traits.createdTo === undefined ? sql`` : sql`and c.id < ${last}`}`;
};

/** The condition that the picture of a code `c` is that wide, which begins with `and`. */
const isOfWidth = (sql: Sql, { minWidthPx, maxWidthPx }: Traits): Fragment =>
  minWidthPx === undefined && maxWidthPx === undefined
    ? sql``
    : sql`and (
        select (d.design->>'widthPx')::integer between ${minWidthPx ?? 0} and ${maxWidthPx ?? 2 ** 31 - 1}
        from designs d where d.account_id = c.account_id and d.id = c.design_id)`;

/**
 * The condition that a code `c` has one of the grades, which begins with `and`. The literal `< 4` lets the planner use the
 * partial index on those codes, which has them in the order of their age.
 */
export const isGraded = (sql: Sql, traits: Traits): Fragment =>
  traits.grades === undefined
    ? sql``
    : sql`${isBelowBest(traits) ? sql`and c.grade < 4` : sql``} and c.grade = any(${traits.grades as number[]}::smallint[])`;

/** The condition that a code `c` has the traits, which begins with `and`. */
export const hasTraits = (sql: Sql, traits: Traits): Fragment => {
  const { isDynamic } = traits;
  return sql`
  ${isDynamic === undefined ? sql`` : isDynamic ? sql`and c.slug is not null` : sql`and c.slug is null`}
  ${isGraded(sql, traits)} ${isOfAge(sql, traits)} ${isOfWidth(sql, traits)}`;
};
