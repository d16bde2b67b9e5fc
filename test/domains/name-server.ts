/** A name server that knows TXT records alone. */
import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import type { TestScope } from '../servers/server-process.ts';

/** Reads the name of the question, and where the question ends. */
const nameOf = (query: Buffer): { readonly name: string; readonly end: number } => {
  const labels: string[] = [];
  let at = 12;
  while (query[at] !== 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
    at += 1 + query[at]!;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
};

const answerOf = (query: Buffer, records: ReadonlyMap<string, string>): Buffer => {
  const { name, end } = nameOf(query);
  const text = query.readUInt16BE(end - 4) === 16 ? records.get(name) : undefined;
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(text === undefined ? 0 : 1, 6);
  header.writeUInt32BE(0, 8);
  const question = query.subarray(12, end);
  if (text === undefined) return Buffer.concat([header, question]);
  const value = Buffer.from(text);
  const record = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, value.length + 1, value.length]);
  return Buffer.concat([header, question, record, value]);
};

/** Starts it. `records` are TXT records by their names, and may change. */
export const startNameServer = async (scope: TestScope) => {
  const records = new Map<string, string>();
  const socket = createSocket('udp4', (query, peer) => {
    socket.send(answerOf(query, records), peer.port, peer.address);
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  scope.teardown(() => socket.close());
  return { records, address: `127.0.0.1:${(socket.address() as AddressInfo).port}` };
};
