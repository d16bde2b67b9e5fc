/** Methods of Python from the operations of the document. Pure. */
import { type Document, JSON_TYPE, type Parameter } from '../openapi.ts';
import { answerOf, type Returned } from './answers.ts';
import { type Argument, type Arguments, argumentsOf, pageArgumentsOf } from './arguments.ts';
import { type Call, callsOf } from './calls.ts';
import { docstring, literal, toSnake, wrap } from './text.ts';

/** That of the lines of a method. */
const INDENT = ' '.repeat(8);

/** The header that the client makes up. */
const KEY_HEADER = 'idempotency-key';

const defined = ({ name, type, usual }: Argument): string =>
  `${INDENT}${name}: ${type}${usual === null ? '' : ` = ${usual}`},\n`;

const head = (name: string, { positional, named }: Arguments, type: string): string =>
  [
    `    def ${name}(\n${INDENT}self,\n`,
    ...positional.map(defined),
    `${INDENT}*,\n`,
    ...named.map(defined),
    `    ) -> ${type}:\n`,
  ].join('');

const pathOf = (path: string): string =>
  path.includes('{')
    ? `f"${path.replace(/\{(\w+)\}/g, (_, name: string) => `{segment(${toSnake(name)})}`)}"`
    : literal(path);

/** Writes parameters as a record, by the names that the gateway knows. */
const record = (parameters: readonly Parameter[], ...more: readonly string[]): string => {
  const entries = [...parameters.map(({ name }) => `${literal(name)}: ${toSnake(name)}`), ...more];
  return entries.length < 2
    ? `{${entries.join('')}}`
    : `{\n${entries.map((entry) => `${INDENT}        ${entry},\n`).join('')}${INDENT}    }`;
};

const summaryOf = ({ operation, method, path }: Call, { positional, named }: Arguments): string => {
  const { summary = '', description = '' } = operation;
  const described = [...positional, ...named].flatMap(({ name, description: text }) =>
    text === undefined ? [] : wrap(`:param ${name}: ${text}`, INDENT),
  );
  const sentence = /[.?!]$/.test(summary) ? summary : `${summary}.`;
  return docstring(
    [wrap(sentence, INDENT), wrap(description, INDENT), [`\`${method} ${path}\``], described],
    INDENT,
  );
};

/** What is handed on, by the names of the arguments of `Caller`. */
const sentBy = (call: Call, { named }: Arguments, { mediaTypes }: Returned): readonly string[] => {
  const { parameters, body, operation, responses } = call;
  const [query, headers] = (['query', 'header'] as const).map((place) =>
    parameters.filter((each) => each.in === place),
  ) as [Parameter[], Parameter[]];
  const isNamed = (wanted: string) => named.some(({ name }) => name === wanted);
  return [
    ...(query.length > 0 ? [`query=${record(query)}`] : []),
    ...(headers.length > 0 ? [`headers=${record(headers)}`] : []),
    ...(body === null ? [] : [body.content[JSON_TYPE] === undefined ? 'raw=body' : 'body=body']),
    ...(isNamed('content_type') ? ['content_type=content_type'] : []),
    ...(isNamed('accept') ? ['accept=accept'] : []),
    // The call of the document may also have another kind of answer.
    ...(call.name !== operation.operationId && mediaTypes.length === 1
      ? [`accept=${literal(mediaTypes[0])}`]
      : []),
    ...(headers.some(({ name }) => name === KEY_HEADER) ? ['keyed=True'] : []),
    ...(Object.keys(responses).some((status) => /^30[12378]$/.test(status)) ? ['redirects=True'] : []),
    ...(operation['x-safe'] ? ['repeatable=True'] : []),
    ...(operation.security?.length === 0 ? ['authorized=False'] : []),
    'timeout_s=timeout_s',
  ];
};

const returned = ({ type, isCast }: Returned, run: string): string => {
  if (type === 'None') return `${INDENT}${run}\n`;
  return `${INDENT}return ${isCast ? `cast(${literal(type)}, ${run})` : run}\n`;
};

const methodOf = (call: Call): string => {
  const answer = answerOf(call);
  const given = argumentsOf(call, answer);
  const sent = [literal(call.method), pathOf(call.path), ...sentBy(call, given, answer)];
  const run = `self.${answer.runner}(\n${sent.map((each) => `${INDENT}    ${each},\n`).join('')}${INDENT})`;
  const name = toSnake(call.name);
  return head(name, given, answer.type) + summaryOf(call, given) + returned(answer, run);
};

/** Writes the method that yields the entries of all pages; nothing for a call without pages. */
const iteratorOf = (call: Call): readonly string[] => {
  const { itemType } = answerOf(call);
  if (itemType === null) return [];
  const name = toSnake(call.name);
  const given = pageArgumentsOf(call);
  const limit = call.parameters.find((each) => each.name === 'limit')?.schema.maximum;
  const others = call.parameters.filter(
    (each) => each.in === 'query' && each.name !== 'cursor' && each.name !== 'limit',
  );
  const query = record(others, ...(limit === undefined ? [] : [`"limit": ${limit}`]));
  const type = `Iterator[${itemType}]`;
  const about = `Yields the entries of all pages of \`${name}\`. It asks for a page when that is needed.`;
  return [
    head(name.replace(/^(list_)?/, 'iterate_'), given, type) +
      docstring([wrap(about, INDENT)], INDENT) +
      `${INDENT}return cast(${literal(type)}, self._pages(${pathOf(call.path)}, ${query}, timeout_s))\n`,
  ];
};

/** Writes the module of the calls. */
export const writeOperations = (document: Document): string => {
  const methods = callsOf(document).flatMap((call) => [methodOf(call), ...iteratorOf(call)]);
  return `from typing import Any, Iterator, Literal, Optional, Union, cast

from . import types
from ._caller import Caller
from ._download import Download
from ._message import Answer, RawBody, segment


class Operations(Caller):
    """The calls of the gateway, each as a method. Every one may raise a \`TesseraError\`."""

${methods.join('\n')}`;
};
