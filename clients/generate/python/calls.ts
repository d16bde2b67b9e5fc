/** The calls of the document, with their references resolved. Pure. */
import {
  type Content,
  type Document,
  JSON_TYPE,
  type Operation,
  type Parameter,
  type Response,
  resolve,
} from '../openapi.ts';

/** A call with its references resolved. */
export interface Call {
  /** Its `operationId`, or with `File` at its end where it has JSON or a file as its answer. */
  readonly name: string;
  readonly document: Document;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly required?: boolean; readonly content: Content } | null;
  readonly responses: Readonly<Record<string, Response>>;
}

const resolved = (document: Document, path: string, method: string, operation: Operation): Call => {
  const { operationId: name, parameters = [], requestBody, responses } = operation;
  return {
    ...{ name, document, path, operation, method: method.toUpperCase() },
    parameters: parameters.map((each) => resolve<Parameter>(document, each)),
    body: requestBody === undefined ? null : resolve<Call['body']>(document, requestBody),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, each]) => [status, resolve<Response>(document, each)]),
    ),
  };
};

const typesOf = ({ content = {} }: Response): readonly string[] => Object.keys(content);

/** Returns the call with only those kinds of answers that `keeps` accepts, and without what chooses among them. */
const limitedTo = (call: Call, keeps: (mediaType: string) => boolean): Call => ({
  ...call,
  parameters: call.parameters.filter(({ name }) => name !== 'format' && name !== 'prefer'),
  responses: Object.fromEntries(
    Object.entries(call.responses).map(([status, response]) => {
      const { content, ...rest } = response;
      if (content === undefined || !/^2/.test(status)) return [status, response];
      return [
        status,
        { ...rest, content: Object.fromEntries(Object.entries(content).filter(([type]) => keeps(type))) },
      ];
    }),
  ),
});

/** A call has one type of answer. One that reads JSON or a file is two. */
const split = (call: Call): readonly Call[] => {
  const types = Object.entries(call.responses).flatMap(([status, each]) =>
    /^2/.test(status) ? typesOf(each) : [],
  );
  const isJson = (type: string) => type === JSON_TYPE;
  if (!types.some(isJson) || types.every(isJson)) return [call];
  const file = { ...limitedTo(call, (type) => !isJson(type)), name: `${call.name}File` };
  return call.method === 'GET' ? [limitedTo(call, isJson), file] : [limitedTo(call, isJson)];
};

/** Returns the calls of the document, in its order. */
export const callsOf = (document: Document): readonly Call[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      split(resolved(document, path, method, operation)),
    ),
  );
