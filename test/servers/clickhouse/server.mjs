/**
 * A ClickHouse server for tests: the engine in this process (chdb), behind as much of ClickHouse's HTTP interface as
 * `@clickhouse/client` uses. Statements run one after the other, because the engine has one session.
 *
 * Arguments: the folder whose node_modules have chdb, the folder of the data, and the port.
 */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [modules, data, port] = process.argv.slice(2);
const { Session } = createRequire(join(modules, 'package.json'))('chdb');
const session = new Session(data);

/** What the client sends beside settings and parameters. */
const NO_SETTINGS = ['query', 'query_id', 'database', 'session_id', 'default_format', 'wait_end_of_query'];

const quoted = (text) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;

/** Reads the escapes of a parameter (TSV). Those of arrays are read by the engine. */
const parameterOf = (text) =>
  text.startsWith('[')
    ? text
    : text.replaceAll(/\\(.)/g, (_, escaped) => ({ n: '\n', t: '\t', r: '\r', 0: '\0' })[escaped] ?? escaped);

const readForm = (body, boundary) =>
  body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const end = part.indexOf('\r\n\r\n');
      return [/name="([^"]*)"/.exec(part.slice(0, end))[1], part.slice(end + 4, -2)];
    });

/** Returns the statement of a request, the data that follow it, and its settings and parameters. */
const readRequest = ({ url, headers }, body) => {
  const boundary = /^multipart\/form-data; boundary=(.*)$/.exec(headers['content-type'] ?? '')?.[1];
  const query = [...new URL(url, 'http://localhost').searchParams];
  const all = new Map([...query, ...(boundary === undefined ? [] : readForm(body, boundary))]);
  const isInUrl = all.has('query');
  const named = (prefix) => [...all].filter(([name]) => name.startsWith(prefix));
  return {
    statement: isInUrl ? all.get('query') : body,
    rows: isInUrl && boundary === undefined ? body : null,
    // The client does not name this one.
    database: all.get('database') ?? 'default',
    settings: query.filter(([name]) => !name.startsWith('param_') && !NO_SETTINGS.includes(name)),
    parameters: named('param_').map(([name, text]) => [name.slice('param_'.length), parameterOf(text)]),
  };
};

const run = async ({ statement, rows, database, settings, parameters }) => {
  const names = settings.map(([name]) => name);
  await session.queryAsync(`use \`${database}\``);
  if (names.length > 0)
    await session.queryAsync(
      `set ${settings.map(([name, value]) => `${name} = ${quoted(value)}`).join(', ')}`,
    );
  try {
    const text = rows === null ? statement : `${statement}\n${rows}`;
    return parameters.length === 0
      ? await session.queryAsync(text)
      : await session.queryBindAsync(text, Object.fromEntries(parameters));
  } finally {
    if (names.length > 0)
      await session.queryAsync(`set ${names.map((name) => `${name} = default`).join(', ')}`);
  }
};

const answer = async (request, response, body) => {
  try {
    const result = await run(readRequest(request, body));
    const summary = { read_rows: String(result.rowsRead), read_bytes: String(result.bytesRead) };
    response.setHeader('x-clickhouse-summary', JSON.stringify(summary));
    response.end(Buffer.from(result.bytes()));
  } catch (error) {
    const code = /Code: (\d+)/.exec(error.message)?.[1] ?? '1002';
    response.writeHead(500, { 'x-clickhouse-exception-code': code });
    response.end(`${error.message.replace(/^.*?(?=Code: )/s, '')} (version 26.7)\n`);
  }
};

let last = Promise.resolve();

createServer((request, response) => {
  if (request.url === '/ping') return response.end('Ok.\n');
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    last = last.then(() => answer(request, response, Buffer.concat(chunks).toString('utf8')));
  });
}).listen(Number(port), '127.0.0.1');
