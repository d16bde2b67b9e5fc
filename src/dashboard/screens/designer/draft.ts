/** A design as it is being made: the request itself, built up field by field, so that what is shown is what is sent. */
import type { QrRequest } from '../../api/shapes.ts';

export interface Draft {
  readonly request: QrRequest;
  /** Encodes a short link whose destination stays editable; only codes in a folder can. */
  readonly dynamic: boolean;
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path such as `dotsOptions.color`. */
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

/** Sets the value at a path; `undefined` takes the field away, and an option object that is empty by then. */
export const change = (request: QrRequest, path: string, value: unknown): QrRequest =>
  ({ data: '', ...(write(request, path.split('.'), value) as object) }) as QrRequest;

export interface FieldFault {
  readonly path: string;
  readonly message: string;
}

/** Takes `<field>: <message>` apart; `items.0.` in front is of a batch with one item. */
export const toFieldFault = (details: string): FieldFault | null => {
  const [, path, message] = /^(?:items\.0\.)?([A-Za-z][\w.]*): (.*)$/s.exec(details) ?? [];
  return path === undefined || message === undefined ? null : { path, message };
};
