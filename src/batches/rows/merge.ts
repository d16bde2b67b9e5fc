/** The design of a row: that of its batch, with what the row changes. */
import type { BatchOptions } from './schema.ts';

type Options = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Options =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of these one wins over the other, or excludes it: a row that gives either has neither of the batch. */
const RIVALS = [
  ['color', 'gradient'],
  ['module_mm', 'width_mm'],
] as const;

const mergeField = (base: unknown, own: unknown): unknown => {
  if (!isObject(base) || !isObject(own)) return own;
  const replaced: readonly string[] = RIVALS.filter((names) => names.some((name) => name in own)).flat();
  const kept = Object.entries(base).filter(([name]) => !replaced.includes(name));
  return { ...Object.fromEntries(kept), ...own };
};

/** Returns the options of the batch with those of a row over them, field by field in the inner objects. */
export const mergeOptions = (base: BatchOptions, own: BatchOptions): BatchOptions =>
  Object.fromEntries([
    ...Object.entries(base),
    ...Object.entries(own).map(([name, value]) => [name, mergeField((base as Options)[name], value)]),
  ]);
