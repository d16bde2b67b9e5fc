/** The calls, as types made of the OpenAPI document. */
import type { CallOptions } from './call.ts';
import type { components, operations } from './document.ts';
import type { ErrorCode, OPERATIONS } from './operations.ts';
import type { RawBody } from './request.ts';

declare module './error.ts' {
  interface Codes extends Record<ErrorCode, true> {}
}

type Operations = typeof OPERATIONS;

/** The name of a call: its `operationId` in the document. */
export type OperationId = keyof Operations;

/** The call of the document. */
type Documented<Id extends OperationId> = Operations[Id] extends {
  readonly of: infer Of extends keyof operations;
}
  ? operations[Of]
  : Id extends keyof operations
    ? operations[Id]
    : never;

/** What chooses the kind of answer, where a call of the client has only one. */
type Choosers = 'format' | 'prefer';

type Fixed<Id extends OperationId, Fields> = Operations[Id] extends { readonly accept: string }
  ? Fields extends object
    ? keyof Fields extends Choosers
      ? never
      : Omit<Fields, Choosers>
    : Fields
  : Fields;

type ParametersOf<Id extends OperationId> = {
  [Place in keyof Documented<Id>['parameters']]: Fixed<Id, Documented<Id>['parameters'][Place]>;
};

/** The schemas of the document, by their names. */
export type Schemas = components['schemas'];

/** Leaves out the fields that may have no value. */
type Given<Fields> = {
  [Name in keyof Fields as [NonNullable<Fields[Name]>] extends [never] ? never : Name]: Fields[Name];
};

/** Any header may be sent besides those of the document. */
type Headers<Described> = Described & Readonly<Record<string, string | number | undefined>>;

type HeadersOf<Parameters> = Parameters extends { header: infer Described }
  ? { readonly headers: Headers<Described> }
  : Parameters extends { header?: infer Described }
    ? {
        readonly headers?: Headers<
          [NonNullable<Described>] extends [never] ? object : NonNullable<Described>
        >;
      }
    : never;

type BodyOf<Body> = [NonNullable<Body>] extends [never]
  ? object
  : NonNullable<Body> extends { content: { 'application/json': infer Json } }
    ? undefined extends Body
      ? { readonly body?: Json }
      : { readonly body: Json }
    : NonNullable<Body> extends { content: infer Content }
      ? { readonly body?: RawBody /** Of the body. */; readonly contentType?: keyof Content & string }
      : object;

/** What a call takes: `path`, `query`, `headers`, `body`. */
export type Input<Id extends OperationId> = Given<Pick<ParametersOf<Id>, 'path' | 'query'>> &
  HeadersOf<ParametersOf<Id>> &
  BodyOf<Documented<Id> extends { requestBody?: infer Body } ? Body : undefined>;

type Success = 200 | 201 | 202 | 204;

type JsonIn<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : undefined;

type JsonOf<Responses> = {
  [Status in keyof Responses & Success]: JsonIn<Responses[Status]>;
}[keyof Responses & Success];

type File = ReadableStream<Uint8Array> | null;

/** The body of a success: JSON, `undefined` where there is none, or the stream of a file, as its media type says. */
export type Data<Id extends OperationId> = Operations[Id] extends { readonly answer: 'file' }
  ? File
  : JsonOf<Documented<Id>['responses']>;

/** The answer to a call. */
export interface Answer<Id extends OperationId> {
  readonly data: Data<Id>;
  /** Its status and headers. The body of a file is read from it, or from `data`. */
  readonly response: Response;
}

type Call<Id extends OperationId> =
  object extends Input<Id>
    ? (input?: Input<Id>, options?: CallOptions) => Promise<Answer<Id>>
    : (input: Input<Id>, options?: CallOptions) => Promise<Answer<Id>>;

/** A function for each call of the document. */
export type Calls = { readonly [Id in OperationId]: Call<Id> };

/** The calls that answer with pages. */
export type PagedId = {
  [Id in OperationId]: Operations[Id] extends { readonly paged: true } ? Id : never;
}[OperationId];

type RowOf<Page> = Page extends { data: readonly (infer Row)[] } ? Row : never;

type Each<Id extends PagedId> =
  object extends Input<Id>
    ? (input?: Input<Id>, options?: CallOptions) => AsyncGenerator<RowOf<Data<Id>>, void, undefined>
    : (input: Input<Id>, options?: CallOptions) => AsyncGenerator<RowOf<Data<Id>>, void, undefined>;

/** A function for each call with pages, which iterates over the rows of all of them. */
export type EachCalls = { readonly [Id in PagedId]: Each<Id> };
