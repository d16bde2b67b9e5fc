/** Writes small MaxMind databases, by the MaxMind DB File Format Specification 2.0. */
import ipaddr from 'ipaddr.js';

const MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');
const SEPARATOR_BYTES = 16;

/** A value of the data section: texts, whole numbers and maps are all that the tests need. */
type Value = string | number | readonly Value[] | { readonly [name: string]: Value };

const numbered = (type: number, bytes: readonly number[]): Buffer =>
  Buffer.from(type > 7 ? [bytes.length, type - 7, ...bytes] : [(type << 5) | bytes.length, ...bytes]);

const encode = (value: Value): Buffer => {
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return numbered(6, [...bytes]);
  }
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([Buffer.from([(2 << 5) | text.length]), text]);
  }
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([value.length, 4]), ...value.map(encode)]);
  const fields = Object.entries(value as Record<string, Value>);
  const head = Buffer.from([(7 << 5) | fields.length]);
  return Buffer.concat([head, ...fields.flatMap(([name, field]) => [encode(name), encode(field)])]);
};

/** The bits of a network, as in a tree of IPv6 addresses; those of IPv4 follow 96 zeros. */
const bitsOf = (network: string): readonly number[] => {
  const [address, length] = ipaddr.parseCIDR(network);
  const bytes = address.toByteArray();
  const bits = bytes.flatMap((byte) => Array.from({ length: 8 }, (_, i) => (byte >> (7 - i)) & 1));
  const before = address.kind() === 'ipv4' ? 96 : 0;
  return [...Array.from({ length: before }, () => 0), ...bits.slice(0, length)];
};

/** Returns a database with a record for each network. */
export const placeDatabase = (records: Readonly<Record<string, Value>>): Buffer => {
  type Node = [Node | number | null, Node | number | null];
  const root: Node = [null, null];
  const data: Buffer[] = [];
  for (const [network, record] of Object.entries(records)) {
    const bits = bitsOf(network);
    let node = root;
    for (const bit of bits.slice(0, -1)) {
      if (!Array.isArray(node[bit])) node[bit] = [null, null];
      node = node[bit] as Node;
    }
    node[bits.at(-1)!] = Buffer.concat(data).length;
    data.push(encode(record));
  }
  const nodes: Node[] = [root];
  for (let i = 0; i < nodes.length; i += 1) nodes.push(...nodes[i]!.filter((child) => Array.isArray(child)));
  const places = new Map(nodes.map((node, place) => [node, place]));
  const tree = Buffer.alloc(nodes.length * 6);
  const recordOf = (child: Node | number | null): number => {
    if (child === null) return nodes.length;
    return Array.isArray(child) ? places.get(child)! : nodes.length + SEPARATOR_BYTES + child;
  };
  nodes.forEach(([left, right], place) => {
    tree.writeUIntBE(recordOf(left), place * 6, 3);
    tree.writeUIntBE(recordOf(right), place * 6 + 3, 3);
  });
  const metadata = {
    ...{ node_count: nodes.length, record_size: 24, ip_version: 6, database_type: 'Test' },
    ...{ languages: ['en'], binary_format_major_version: 2, binary_format_minor_version: 0 },
    ...{ build_epoch: 1_700_000_000, description: { en: 'A test' } },
  };
  return Buffer.concat([tree, Buffer.alloc(SEPARATOR_BYTES), ...data, MARKER, encode(metadata)]);
};

/** Returns a database of countries, which knows these networks: `{ '192.0.2.0/24': 'DE' }`. */
export const countryDatabase = (countries: Readonly<Record<string, string>>): Buffer =>
  placeDatabase(
    Object.fromEntries(
      Object.entries(countries).map(([network, code]) => [network, { country: { iso_code: code } }]),
    ),
  );
