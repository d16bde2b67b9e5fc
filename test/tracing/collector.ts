/** A span collector on loopback: OTLP over HTTP with JSON. */
import type { IncomingHttpHeaders } from 'node:http';
import { serve } from '../logo/network.ts';
import type { TestScope } from '../servers/server-process.ts';

export interface Recorded {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly links?: readonly { readonly traceId: string }[];
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

export const startCollector = async (t: TestScope) => {
  const spans: Recorded[] = [];
  const resources: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    headers.push(request.headers);
    for (const { resource, scopeSpans } of JSON.parse(Buffer.concat(chunks).toString()).resourceSpans) {
      resources.push(JSON.stringify(resource));
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  t.teardown(server.close);
  return {
    url: `http://127.0.0.1:${server.port}`,
    resources,
    headers,
    /** The spans of a trace. */
    of: (traceId: string) => spans.filter((span) => span.traceId === traceId),
    all: spans,
    close: server.close,
  };
};

/** Returns the names of spans as paths below their parents, in order and without duplicates. */
export const treeOf = (spans: readonly Recorded[], rootId: string | undefined): readonly string[] => {
  const below = (parentId: string | undefined, path: string): string[] =>
    spans
      .filter(({ parentSpanId }) => parentSpanId === parentId)
      .flatMap(({ name, spanId }) => [`${path}${name}`, ...below(spanId, `${path}${name} > `)]);
  return [...new Set(below(rootId, ''))].sort();
};
