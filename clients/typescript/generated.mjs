/** What the client is made of: the types of the OpenAPI document, and a table of its calls. Pure functions of it. */
import openapiTypes, { astToString } from 'openapi-typescript';

const HEAD = '/** Made by `npm run clients` from the OpenAPI document; not for editing. */\n\n';
const JSON_TYPE = 'application/json';

/** Returns what a reference of the document names, and anything else as it is. */
const resolve = (document, node) =>
  node?.$ref === undefined
    ? node
    : node.$ref
        .slice('#/'.length)
        .split('/')
        .reduce((parent, name) => parent[name], document);

const authOf = ({ security = [] }) => {
  const schemes = security.flatMap((each) => Object.keys(each));
  if (schemes.includes('adminToken')) return 'admin';
  return schemes.includes('apiKey') ? 'key' : undefined;
};

const sendsOf = ({ requestBody }) => {
  const types = Object.keys(requestBody?.content ?? {});
  if (types.includes(JSON_TYPE)) return JSON_TYPE;
  return types.length === 1 ? types[0] : undefined;
};

const typesOf = ({ responses }) =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]) => Object.keys(content));

const resolved = (document, { parameters = [], requestBody, responses, security, 'x-safe': isSafe }) => ({
  isSafe,
  security: security ?? document.security,
  parameters: parameters.map((each) => resolve(document, each)),
  requestBody: resolve(document, requestBody),
  responses: Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, resolve(document, response)]),
  ),
});

const rowOf = (operation, method, path) => {
  const types = typesOf(operation);
  const answer = types.length === 0 || types.includes(JSON_TYPE) ? undefined : 'file';
  const has = (place, name) => operation.parameters.some((each) => each.in === place && each.name === name);
  return {
    method: method.toUpperCase(),
    path,
    auth: authOf(operation),
    sends: sendsOf(operation),
    answer,
    // A call has one type of answer.
    accept: answer === undefined && types.some((type) => type !== JSON_TYPE) ? JSON_TYPE : undefined,
    once: has('header', 'idempotency-key') || undefined,
    safe: operation.isSafe || undefined,
    // A file has no rows to iterate over; its headers name the next page.
    paged: (answer === undefined && has('query', 'cursor')) || undefined,
  };
};

/** Returns the call, and for one that reads JSON or a file another one for the file: `getReceiptFile` for `getReceipt`. */
const rowsOf = (document, method, path, written) => {
  const operation = resolved(document, written);
  const row = rowOf(operation, method, path);
  const { operationId: of } = written;
  if (row.accept === undefined || method !== 'get') return [[of, row]];
  const accept = typesOf(operation).find((type) => type !== JSON_TYPE);
  return [
    [of, row],
    [`${of}File`, { ...row, answer: 'file', accept, of }],
  ];
};

/** Returns the calls by their names: their `operationId`. */
export const operationsOf = (document) =>
  Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => rowsOf(document, method, path, operation)),
    ),
  );

const codesOf = ({ components }) => {
  const { enum: texts, 'x-enum-varnames': codes } = components.schemas.Error.properties.error;
  return Object.fromEntries(texts.map((text, i) => [text, codes[i]]));
};

const lines = (record) =>
  Object.entries(record)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`)
    .join('');

/** Returns the generated files by their names. */
export const generatedFiles = async (document) => ({
  'document.ts': `${HEAD}${astToString(await openapiTypes(document))}`,
  'operations.ts': `${HEAD}/** The calls. */
export const OPERATIONS = {
${lines(operationsOf(document))}} as const;

/** The codes of errors, by the texts that the service answers with. */
export const ERROR_CODES = {
${lines(codesOf(document))}} as const;

/** The code of an error. */
export type ErrorCode = (typeof ERROR_CODES)[keyof typeof ERROR_CODES];
`,
});
