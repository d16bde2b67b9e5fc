/** Parsing and writing the headers of W3C Trace Context. */
import fc from 'fast-check';
import { pino } from 'pino';
import t from 'tap';
import { createLogger } from '../../src/http/log.ts';
import {
  newTraceContext,
  readTraceContext,
  restoreTraceContext,
  traceHeadersOf,
  writeTraceContext,
} from '../../src/tracing/context.ts';
import { runInTrace } from '../../src/tracing/trace.ts';

const CALLER = '00f067aa0ba902b7';
const STATE = 'vendor=a1,other=b2';
const traceIdOf = (digit: string): string => digit.repeat(32);

const hex = (length: number) =>
  fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)).filter((text) => !/^0+$/.test(text));

t.test('a traceparent of any version is parsed, and a written one is parsed again', async () => {
  fc.assert(
    fc.property(
      hex(32),
      hex(16),
      hex(2),
      fc.constantFrom('00', '01', 'cc'),
      (trace, span, flags, version) => {
        const more = version === '00' ? '' : '-what-comes-later';
        const read = readTraceContext(`${version}-${trace}-${span}-${flags}${more}`, STATE);
        if (read === null || read.traceId !== trace || read.spanId !== span || read.state !== STATE)
          return false;
        if (read.isSampled !== (Number.parseInt(flags, 16) % 2 === 1)) return false;
        const { traceparent, tracestate } = traceHeadersOf(read);
        const kept = restoreTraceContext(writeTraceContext(read));
        return [readTraceContext(traceparent, tracestate), kept].every(
          (again) => JSON.stringify(again) === JSON.stringify(read),
        );
      },
    ),
    { numRuns: 200 },
  );
});

t.test('a malformed traceparent is ignored, and a malformed tracestate is dropped', async (t) => {
  const right = `00-${traceIdOf('a')}-${CALLER}-01`;
  const broken = [
    ...[
      '',
      'x',
      `${right}-more`,
      right.toUpperCase(),
      `ff${right.slice(2)}`,
      right.slice(0, -1),
      ` ${right}`,
    ],
    ...[
      `00-${traceIdOf('0')}-${CALLER}-01`,
      `00-${traceIdOf('a')}-${'0'.repeat(16)}-01`,
      `${right}, ${right}`,
    ],
  ];
  for (const text of broken) t.equal(readTraceContext(text, STATE), null, text);
  for (const none of [undefined, [right]]) t.equal(readTraceContext(none, STATE), null);
  for (const state of ['=x', 'A=b', 'a', `a=${'x'.repeat(600)}`, 'a=b\n', Array(33).fill('a=b').join()])
    t.equal(readTraceContext(right, state)?.state, '', state.slice(0, 20));
});

t.test('a tracestate is kept up to 512 characters and 32 members, some of which may be empty', async (t) => {
  const stateOf = (state: string) => readTraceContext(`00-${traceIdOf('a')}-${CALLER}-01`, state)?.state;
  const members = (count: number) => Array.from({ length: count }, (_, i) => `m${i}=v`).join();
  const long = (characters: number) => `a=${'x'.repeat(200)},b=${'y'.repeat(200)},c=`.padEnd(characters, 'z');
  for (const state of [members(32), long(512), 'a=b,,c=d', ' a=b ,\tc=d', 'a=b,'])
    t.equal(stateOf(state), state);
  for (const state of [members(33), long(513), 'a=b,c']) t.equal(stateOf(state), '');
});

t.test('a new trace has new ids, is not recorded, and is propagated without a tracestate', async (t) => {
  const [one, other] = [newTraceContext(), newTraceContext()];
  t.notSame([one.traceId, one.spanId], [other.traceId, other.spanId]);
  t.equal(one.isSampled, false);
  const headers = traceHeadersOf(one);
  t.strictSame(Object.keys(headers), ['traceparent']);
  t.strictSame(readTraceContext(headers.traceparent, undefined), one);
  t.equal(writeTraceContext(one), headers.traceparent);
  t.strictSame(restoreTraceContext(writeTraceContext(one)), one);
  t.equal(restoreTraceContext(null), null);
});

t.test('a log line has the ids of its trace, or none outside of a trace', async (t) => {
  const log = createLogger('info');
  const lines: string[] = [];
  t.intercept(Reflect.get(log, pino.symbols.streamSym), 'write', {
    value: (line: string) => void lines.push(line),
  });
  const context = newTraceContext();
  log.info('outside');
  runInTrace({ context, span: null }, () => log.info('inside'));
  const [outside, inside] = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  t.notOk('trace_id' in outside! || 'span_id' in outside!);
  t.match(inside, { msg: 'inside', trace_id: context.traceId, span_id: context.spanId });
});
