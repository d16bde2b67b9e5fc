/** Invalid and unusual requests, as bytes for a socket, for every call of an OpenAPI document. */
import fc from 'fast-check';
import { oddJsonFor, oddParameters, oddTexts } from './odd-values.ts';
import type { Operation } from './operations.ts';

export interface Credentials {
  readonly key: string;
  /** When `null`, operator calls are sent without a token. */
  readonly adminToken: string | null;
  readonly cookie: string | null;
  /** Ids and slugs that exist. Unknown ones are sent too. */
  readonly ids: readonly string[];
}

export interface OddRequest {
  /** For example `GET /api/v1/folders/{id}`. */
  readonly operation: string;
  readonly bytes: Buffer;
  /** Whether HTTP requires an answer; otherwise a server may close the connection or wait for more. */
  readonly isWhole: boolean;
}

const METHODS = [
  ...['HEAD', 'OPTIONS', 'PUT', 'TRACE', 'PROPFIND', 'M-SEARCH', 'QUERY', 'get', 'FOO', 'CONNECT', ''],
];

const HEADERS = [
  'If-None-Match: *',
  'If-None-Match: "a", W/"b",,"',
  `If-None-Match: ${'"x", '.repeat(500)}`,
  'If-Modified-Since: yesterday',
  'Range: bytes=0-0, -1, 5-',
  'Expect: 100-continue',
  'Expect: the-unexpected',
  'Accept: */*;q=1e400, ;;, text/html;q=-1',
  'Accept: \u00ff',
  'Accept-Encoding: gzip;q=0, br;q=nan, *',
  'Accept-Language: en;q=, x'.repeat(20),
  'Content-Type: text/plain',
  'Content-Type: application/json; charset=utf-16',
  'Content-Type: application/json;charset="',
  'Content-Type: APPLICATION/JSON ; a=b ; a=b',
  'Content-Type: application/json/x, text/html',
  'Content-Type: multipart/form-data; boundary=x',
  'Content-Type: ',
  'Content-Encoding: gzip',
  'Idempotency-Key: ',
  'Idempotency-Key: \u00e9',
  `Idempotency-Key: ${'k'.repeat(256)}`,
  'Idempotency-Key: a b',
  'Idempotency-Key: once\r\nIdempotency-Key: twice',
  'X-Request-Id: a\tb',
  `X-Request-Id: ${'i'.repeat(5000)}`,
  'X-Forwarded-For: 127.0.0.1, ::1, [, \u00ff',
  'X-Forwarded-Host: evil.example',
  'X-Forwarded-Proto: gopher',
  'Forwarded: for="_x";proto=',
  'X-HTTP-Method-Override: DELETE',
  'Origin: null',
  'Origin: http://evil.example',
  'Sec-Fetch-Site: cross-site',
  'Cookie: tessera_session=; a=b; =; ;;',
  `Cookie: tessera_session=${'A'.repeat(3000)}`,
  'Authorization: Bearer',
  'Authorization: Basic Og==',
  'Authorization: Bearer a\r\nAuthorization: Bearer b',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'Upgrade: h2c\r\nHTTP2-Settings: AAAA',
  'Host: a\r\nHost: b',
  'Host: [::1',
  'User-Agent: \u0080\u00ff',
  `Referer: http://[${'a'.repeat(2000)}`,
  'CF-IPCountry: \u00fcX9',
  '__proto__: x',
  'constructor: x',
  ' folded: x',
  'no colon',
  'nul: \0',
  'Trailer: __proto__',
  Array.from({ length: 200 }, (_, i) => `X-${i}: y`).join('\r\n'),
  Array.from({ length: 3000 }, (_, i) => `X-${i}: y`).join('\r\n'),
  `X-Long: ${'z'.repeat(17_000)}`,
];

/** Ways to declare the length of a body. Those with `false` are invalid, and HTTP leaves the reaction to the server. */
const FRAMINGS: readonly [
  isWhole: boolean,
  frame: (body: string, length: number) => readonly [head: string, body: string],
][] = [
  [true, (body) => ['Transfer-Encoding: chunked', chunked(body)]],
  [true, (body) => ['Transfer-Encoding: chunked', `${chunked(body).slice(0, -2)}__proto__: x\r\n\r\n`]],
  [true, (body) => ['Transfer-Encoding: CHUNKED', chunked(body).replace('\r\n', ';name="value"\r\n')]],
  [false, (body) => ['Transfer-Encoding: chunked', chunked(body).slice(0, -5)]],
  [false, (body) => ['Transfer-Encoding: chunked', `zz\r\n${body}\r\n0\r\n\r\n`]],
  [false, (body) => ['Transfer-Encoding: chunked', `-5\r\n${body}\r\n0\r\n\r\n`]],
  [false, (body) => ['Transfer-Encoding: chunked', `fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`]],
  [false, (body) => ['Transfer-Encoding: chunked', `5\n${body}\n0\n\n`]],
  [false, (body) => ['Transfer-Encoding: gzip, chunked', chunked(body)]],
  [false, (body) => ['Transfer-Encoding: identity', body]],
  [false, (body) => ['Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', chunked(body)]],
  [false, (body, length) => [`Content-Length: ${length}\r\nTransfer-Encoding: chunked`, chunked(body)]],
  [false, (body, length) => [`Content-Length: ${length}\r\nContent-Length: ${length + 1}`, body]],
  [false, (body, length) => [`Content-Length: ${length + 10}`, body]],
  [false, (body, length) => [`Content-Length: ${Math.floor(length / 2)}`, body]],
  [false, (body) => ['Content-Length: 99999999999999999999', body]],
  [false, (body) => ['Content-Length: -1', body]],
  [false, (body) => ['Content-Length: +5', body]],
  [false, (body) => ['Content-Length: 0x5', body]],
  [false, (body) => ['Content-Length: ', body]],
  [false, (body) => ['', body]],
];

const chunked = (body: string): string =>
  `${body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n`;

/** Returns text in which each character stands for a byte. */
const bytesOf = (text: string): string => Buffer.from(text.toWellFormed()).toString('latin1');
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

const BROKEN_ESCAPES = [
  ...['%', '%zz', '%c0%af', '%ud800', '%00', '%ed%a0%80', '%2e%2e%2f', '+', ';', '#', '\u00ff', '\t'],
];

/** Writes a value properly escaped, unescaped (without line ends and spaces), or with a broken escape. */
const written = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 10, arbitrary: value.map(encode) },
    { weight: 1, arbitrary: value.map((text) => bytesOf(text).replace(/[\r\n ]/g, '')) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(value, fc.constantFrom(...BROKEN_ESCAPES))
        .map(([text, broken]) => encode(text) + broken),
    },
  );

/** Whether a call would revoke the credentials that the run needs. */
const endsTheRun = ({ method, path }: Operation): boolean => method === 'DELETE' && /session|keys/.test(path);

const pathOf = (operation: Operation, ids: readonly string[]): fc.Arbitrary<string> => {
  const values = operation.pathParameters.map(({ name, schema }) =>
    written(oddParameters(name, schema, ids)),
  );
  const path = fc.tuple(...values).map((texts) => {
    let at = 0;
    return operation.path.replace(/\{[^}]+\}/g, () => texts[at++] ?? 'x');
  });
  const strange = fc.tuple(
    path,
    fc.constantFrom('/', '//', '/..', '/%2e%2e/x', '%00', '%', `/${'a'.repeat(3000)}`, '\\'),
  );
  return fc.oneof(
    { weight: 15, arbitrary: path },
    { weight: 1, arbitrary: strange.map((parts) => parts.join('')) },
  );
};

const STRANGE_PARAMETERS = [
  ...['__proto__=1', 'constructor[prototype][x]=1', 'limit[]=1', '=', '&&', '%=%', 'a'.repeat(2000)],
];

const queryOf = ({ query, access }: Operation, { key, ids }: Credentials): fc.Arbitrary<string> => {
  const parameters = query.map(({ name, schema }) =>
    fc.tuple(fc.nat(9), written(oddParameters(name, schema, ids))).map(([chance, value]) => {
      if (chance < 5 && !(name === 'content')) return [];
      return chance === 9 ? [`${name}=${value}`, `${name}=${value}`] : [`${name}=${value}`];
    }),
  );
  const own = access === 'key in query' ? [`key=${key}`] : [];
  const strange = fc.oneof(
    { weight: 12, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.constantFrom(...STRANGE_PARAMETERS).map((text) => [text]) },
  );
  return fc.tuple(...parameters, strange).map((all) => {
    const text = [...own, ...all.flat()].join('&');
    return text === '' ? '' : `?${text}`;
  });
};

const credentialsOf = (operation: Operation, known: Credentials): readonly string[] => {
  switch (endsTheRun(operation) ? 'anyone' : operation.access) {
    case 'key':
      return [`Authorization: Bearer ${known.key}`];
    case 'admin':
      return known.adminToken === null ? [] : [`Authorization: Bearer ${known.adminToken}`];
    case 'session':
      return known.cookie === null ? [] : [`Cookie: ${known.cookie}`, 'Sec-Fetch-Site: same-origin'];
    default:
      return [];
  }
};

const brokenBody = (json: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(json, fc.nat(), fc.constantFrom('', '\0', '\xff\xfe', '\xef\xbb\xbf', '}', ',', '"', '\\'))
    .map(([text, at, junk]) => {
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + junk + text.slice(cut + (at % 3));
    });

const bodyOf = ({ body }: Operation, ids: readonly string[]): fc.Arbitrary<string> => {
  if (body === null) {
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: oddTexts.map(bytesOf) },
    );
  }
  const json = oddJsonFor(body, ids).map(bytesOf);
  return fc.oneof({ weight: 8, arbitrary: json }, { weight: 1, arbitrary: brokenBody(json) });
};

const requestTo = (operation: Operation, known: Credentials): fc.Arbitrary<OddRequest> =>
  fc
    .record({
      method: fc.oneof(
        { weight: 12, arbitrary: fc.constant(operation.method) },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
      ),
      path: pathOf(operation, known.ids),
      query: queryOf(operation, known),
      odd: fc.oneof(
        { weight: 3, arbitrary: fc.constant<string[]>([]) },
        { weight: 1, arbitrary: fc.array(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 3 }) },
      ),
      isKnown: fc.nat(15).map((chance) => chance > 0),
      body: bodyOf(operation, known.ids),
      framing: fc.oneof(
        { weight: 12, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constantFrom(...FRAMINGS) },
      ),
      version: fc.oneof(
        { weight: 40, arbitrary: fc.constant('1.1') },
        { weight: 1, arbitrary: fc.constantFrom('1.0', '0.9', '2.0') },
      ),
    })
    .map(({ method, path, query, odd, isKnown, body, framing, version }) => {
      const plain = body === '' ? '' : `Content-Length: ${body.length}`;
      const [length, payload] = framing === null ? [plain, body] : framing[1](body, body.length);
      const type =
        body === '' || odd.some((line) => line.startsWith('Content-Type'))
          ? ''
          : 'Content-Type: application/json';
      const lines = [
        `${method} ${path}${query} HTTP/${version}`,
        ...(odd.some((line) => line.startsWith('Host')) ? [] : ['Host: gateway.test']),
        'Connection: close',
        ...(isKnown ? credentialsOf(operation, known) : []),
        type,
        length,
        ...odd,
      ];
      const head = lines.filter((line) => line !== '').join('\r\n');
      return {
        operation: `${operation.method} ${operation.path}`,
        bytes: Buffer.from(`${head}\r\n\r\n${payload}`, 'latin1'),
        isWhole: (framing?.[0] ?? true) && method === operation.method,
      };
    });

/** Makes one random request for each operation. */
export const oddRequests = (
  operations: readonly Operation[],
  known: Credentials,
): fc.Arbitrary<OddRequest[]> => fc.tuple(...operations.map((operation) => requestTo(operation, known)));
