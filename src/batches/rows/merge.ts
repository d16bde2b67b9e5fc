/** The design of a row: that of its batch, with what the row changes. */
import type { PictureOptions } from '../../generate/request/picture-options.ts';

type Options = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Options =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A gradient wins over a colour, so a row that gives either has neither of the batch. */
const withoutPaint = ({ color, gradient, ...rest }: Options): Options => rest;

const mergeField = (base: unknown, own: unknown): unknown => {
  if (!isObject(base) || !isObject(own)) return own;
  const paints = 'color' in own || 'gradient' in own;
  return { ...(paints ? withoutPaint(base) : base), ...own };
};

/** Returns the options of the batch with those of a row over them, field by field in the inner objects. */
export const mergeOptions = (base: PictureOptions, own: PictureOptions): PictureOptions =>
  Object.fromEntries([
    ...Object.entries(base),
    ...Object.entries(own).map(([name, value]) => [name, mergeField((base as Options)[name], value)]),
  ]);
