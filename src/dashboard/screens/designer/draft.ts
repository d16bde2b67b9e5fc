/** A design that is being made: the request itself, built field by field, so that what is shown is what is sent. */
import type { QrRequest } from '../../api/shapes.ts';

/** The request, and how the code is made. */
export interface Draft {
  readonly request: QrRequest;
  /** Whether the code contains a short link whose destination can be changed. Only saved codes can. */
  readonly dynamic: boolean;
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value at a path such as `dotsOptions.color`; `undefined` when there is none. */
export const read = (request: QrRequest, path: string): unknown =>
  path.split('.').reduce<unknown>((node, name) => (node as Node | undefined)?.[name], request);

const write = (node: unknown, [name, ...rest]: readonly string[], value: unknown): unknown => {
  if (name === undefined) return value;
  if (Array.isArray(node))
    return node.map((item, i) => (i === Number(name) ? write(item, rest, value) : item));
  const fields = isNode(node) ? node : {};
  const inner = write(fields[name], rest, value);
  const { [name]: _, ...others } = fields;
  if (inner !== undefined) return { ...fields, [name]: inner };
  return Object.keys(others).length === 0 ? undefined : others;
};

/** Sets the value at a path. `undefined` removes the field, and every option object that becomes empty by that. */
export const withField = (request: QrRequest, path: string, value: unknown): QrRequest =>
  ({ data: '', ...(write(request, path.split('.'), value) as object) }) as QrRequest;

const DEFAULT_SIDE_PX = 300;
const SIDE_MIN_PX = 50;
const SIDE_MAX_PX = 2000;

/** Returns the design at another width in pixels. Its height keeps the proportions, within what the service draws. */
export const resize = (request: QrRequest, widthPx: number): QrRequest => {
  const { width = DEFAULT_SIDE_PX, height = DEFAULT_SIDE_PX } = request;
  const heightPx = Math.round((height * widthPx) / width);
  return { ...request, width: widthPx, height: Math.min(SIDE_MAX_PX, Math.max(SIDE_MIN_PX, heightPx)) };
};

/** What the service takes when a field is left out. A saved design has them written out. */
const DEFAULTS: readonly (readonly [path: string, value: unknown])[] = [
  ['shape', 'square'],
  ['qrOptions.typeNumber', 0],
  ['qrOptions.segments', 'single'],
  ['qrOptions.eci', false],
  ['qrOptions.boost', false],
  ['imageOptions.imageSize', 0.4],
  ['imageOptions.margin', 0],
  ['imageOptions.hideBackgroundDots', true],
  ['dotsOptions.type', 'square'],
  ['dotsOptions.color', '#000000'],
  ['dotsOptions.roundSize', true],
  ['backgroundOptions.color', '#ffffff'],
  ['backgroundOptions.round', 0],
];

/** Returns the same design without fields that have their default value, as the form writes it. */
export const withoutDefaults = (request: QrRequest): QrRequest => {
  let left: QrRequest = Object.fromEntries(
    Object.entries(request).filter(([, value]) => !isNode(value) || Object.keys(value).length > 0),
  ) as QrRequest;
  for (const [path, value] of DEFAULTS)
    if (read(left, path) === value) left = withField(left, path, undefined);
  return left;
};

export interface FieldFault {
  readonly path: string;
  readonly message: string;
}

/** Reads `<field>: <message>`. In a bulk call of one item the field begins with `items.0.`, which is dropped. */
export const toFieldFault = (details: string): FieldFault | null => {
  const [, path, message] = /^(?:items\.0\.)?([A-Za-z][\w.]*): (.*)$/s.exec(details) ?? [];
  return path === undefined || message === undefined ? null : { path, message };
};

const toHex = (channel: string): string => Number(channel).toString(16).padStart(2, '0');

/**
 * Returns a colour as a picker takes it, `#rrggbb` without its alpha, from the forms in which a canvas writes colours:
 * `#rrggbb` or `rgba(r, g, b, a)`; otherwise `null`.
 */
export const toPickerColor = (painted: string): string | null => {
  if (/^#[\da-f]{6}$/i.test(painted)) return painted;
  const channels = /^rgba?\((\d+), (\d+), (\d+)/.exec(painted)?.slice(1);
  return channels === undefined ? null : `#${channels.map(toHex).join('')}`;
};
