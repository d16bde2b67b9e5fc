import type { Filled } from './fill.ts';

/** A request of an account with a `manage` key, or of the operator. */
export interface LargeRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly body?: unknown;
}

/** Queries of lists and reports that read in different ways. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/api/v1/folders': ['search=folder'],
  '/api/v1/codes': [
    ...[
      'sort=oldest',
      'sort=name',
      'sort=scans',
      'search=example.org%2F12',
      'search=no+such+text',
      'search=zz',
    ],
    ...[
      'max_grade=3',
      'external_id=none',
      'tag=none',
      'folder_id={folder}',
      'sort=oldest&folder_id={folder}',
    ],
    'sort=name&folder_id={folder}',
  ],
  '/api/v1/links': ['sort=scans', 'sort=name', 'status=active', 'status=expired', 'search=example.com%2F12'],
  '/api/v1/scans': ['interval=hour', 'interval=month&from=2024-01-01'],
  '/api/v1/usage/history': ['group=key&interval=month&from=2024-01-01', 'group=kind'],
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
      return ['', ...(QUERIES[path] ?? [])].map((query) => ({
        method: 'GET' as const,
        url: query === '' ? url : `${url}?${query.replace('{folder}', folderId)}`,
      }));
    });
  return [
    ...reads,
    { method: 'POST', url: '/api/v1/codes/links-summary', body: { ids: [codeId] } },
    { method: 'PATCH', url: `/api/v1/codes/${codeId}`, body: { name: 'renamed' } },
    { method: 'PATCH', url: `/api/v1/links/${slug}`, body: { destination: 'https://example.com/elsewhere' } },
    { method: 'PATCH', url: `/api/v1/folders/${folderId}`, body: { name: 'renamed' } },
    { method: 'POST', url: '/api/v1/folders', body: { name: 'new' } },
    { method: 'POST', url: '/api/v1/codes/move', body: { ids: [codeId], folder_id: folderId } },
    { method: 'POST', url: '/api/v1/codes', body: { data: 'https://example.com/', dynamic: true } },
    {
      method: 'POST',
      url: '/api/v1/qr/bulk',
      body: { items: [{ data: 'https://example.com/', dynamic: true }] },
    },
  ];
};

/** Requests of the operator that read. */
export const OPERATOR_REQUESTS: readonly LargeRequest[] = [
  ...['accounts', 'accounts?search=account+12', 'accounts?search=no+such+name', 'accounts?search=zz'],
].map((path) => ({ method: 'GET', url: `/admin/v1/${path}` }));
