/** The calls of the document, with their references resolved. Pure. */
import {
  type Content,
  type Document,
  type Operation,
  type Parameter,
  type Response,
  resolve,
} from '../openapi.ts';

/** A call with its references resolved. */
export interface Call {
  readonly document: Document;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly required?: boolean; readonly content: Content } | null;
  readonly responses: Readonly<Record<string, Response>>;
}

/** Returns the calls of the document, in its order. */
export const callsOf = (document: Document): readonly Call[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters = [], requestBody, responses } = operation;
      const answers = Object.entries(responses);
      return {
        ...{ document, path, operation, method: method.toUpperCase() },
        parameters: parameters.map((each) => resolve<Parameter>(document, each)),
        body: requestBody === undefined ? null : resolve<Call['body']>(document, requestBody),
        responses: Object.fromEntries(
          answers.map(([status, each]) => [status, resolve<Response>(document, each)]),
        ),
      };
    }),
  );
