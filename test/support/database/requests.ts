import type { Filled } from './fill.ts';

/** A request of an account with a `manage` key, or of the operator. */
export interface LargeRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly body?: unknown;
}

/** Queries of lists and reports that read in different ways, one a word. */
const QUERIES: Readonly<Record<string, string>> = {
  '/api/v1/folders': 'search=folder',
  '/api/v1/codes': `sort=oldest sort=name sort=scans search=example.org%2F12 search=no+such+text search=zz max_grade=3
    max_grade=3&sort=name dynamic=false dynamic=true&folder_id={folder} min_width=2000
    created_from=2026-01-01&created_to=2026-01-02&max_grade=2&dynamic=true external_id=none tag=none folder_id={folder} sort=oldest&folder_id={folder} sort=name&folder_id={folder}`,
  '/api/v1/codes/count':
    'dynamic=true folder_id={folder} max_grade=3 tag=none search=zz min_grade=4 min_width=2000',
  '/api/v1/links': `sort=scans sort=name sort=changed status=active status=expired status=scheduled status=limit_reached
    search=example.com%2F12 search={slug} domain=shared has_rules=true has_rules=false&sort=changed`,
  '/api/v1/scans': 'interval=hour interval=month&from=2024-01-01 folder_id={folder} tag=none code_ids={code}',
  '/api/v1/scans/breakdowns': 'folder_id={folder} rule=none',
  '/api/v1/scans/export': 'by=link by=day',
  '/api/v1/usage/history': 'group=key&interval=month&from=2024-01-01 group=kind',
};

/** Streams, whose work is that of their pages, and what asks others than the database. */
const LEFT_OUT = /archive|\/file$|\.csv$|image|picture|\/events\b|receipt|\/result|\/upload|\/i\//;

/** The document of the API, as far as it is read here. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Returns requests to all paths of the document that read, with the ids of the largest account, and to some that write.
 */
export const requestsOf = (
  { paths }: OpenApi,
  { folderId, codeId, slug }: Filled,
): readonly LargeRequest[] => {
  const reads = Object.entries(paths)
    .filter(([path, methods]) => path.startsWith('/api/v1/') && 'get' in methods && !LEFT_OUT.test(path))
    .flatMap(([path]) => {
      const id = path.startsWith('/api/v1/codes') ? codeId : folderId;
      const url = path.replace('{slug}', slug).replace(/\{\w+\}/g, id);
      const queries =
        (QUERIES[path] ?? '')
          .replaceAll('{folder}', folderId)
          .replaceAll('{slug}', slug)
          .replaceAll('{code}', codeId)
          .match(/\S+/g) ?? [];
      return [url, ...queries.map((query) => `${url}?${query}`)];
    });
  const code = { data: 'https://example.com/', dynamic: true };
  const request = (method: LargeRequest['method'], path: string, body?: unknown): LargeRequest => ({
    ...{ method, url: `/api/v1/${path}`, ...(body !== undefined && { body }) },
  });
  return [
    ...reads.map((url) => ({ method: 'GET' as const, url })),
    request('POST', 'codes/links-summary', { ids: [codeId] }),
    request('PATCH', `codes/${codeId}`, { name: 'renamed' }),
    request('PATCH', `links/${slug}`, { destination: 'https://example.com/elsewhere' }),
    request('PATCH', `folders/${folderId}`, { name: 'renamed' }),
    request('POST', 'folders', { name: 'new' }),
    request('POST', 'codes/tags', { ids: [codeId], add: ['summer'], remove: ['winter'] }),
    request('POST', 'codes/move', { ids: [codeId], folder_id: folderId }),
    request('POST', 'codes', code),
    request('POST', 'qr/bulk', { items: [code] }),
  ];
};

/** Requests of the operator that read. */
export const OPERATOR_REQUESTS: readonly LargeRequest[] = [
  '',
  '?search=account+12',
  '?search=no+such+name',
  '?search=zz',
].map((query) => ({ method: 'GET', url: `/admin/v1/accounts${query}` }));
