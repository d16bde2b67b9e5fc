/** The API from the point of view of one account. */
import type { Answer, TestApp } from './app.ts';

type Headers = Readonly<Record<string, string>>;

/** An id that does not exist. */
export const RANDOM_ID = '5f0c2a52-6f6c-4d6e-9a52-0d5c1f3f9b11';
/** The form of an id. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The form of a time in the API. */
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns functions that make calls with a key. Paths start after `/api/v1`. */
export const clientOf = ({ call }: Pick<TestApp, 'call'>, key: string) => {
  const ask =
    (method: 'GET' | 'HEAD' | 'DELETE') =>
    (path: string, headers: Headers = {}): Promise<Answer> =>
      call({ method, url: `/api/v1${path}`, key, headers });
  const send =
    (method: 'POST' | 'PUT' | 'PATCH') =>
    (path: string, body?: unknown, headers: Headers = {}): Promise<Answer> =>
      call({ method, url: `/api/v1${path}`, key, headers, body });
  const [get, post] = [ask('GET'), send('POST')];
  return {
    get,
    head: ask('HEAD'),
    del: ask('DELETE'),
    post,
    put: send('PUT'),
    patch: send('PATCH'),
    render: (query: Readonly<Record<string, string>>, headers: Headers = {}) =>
      call({ url: `/api/v1/render?${new URLSearchParams({ key, ...query })}`, headers }),
    used: async (): Promise<number> => (await get('/usage')).json.usage_count,
    /** Returns the contents of the codes in a list. */
    contents: async (path: string) => (await get(path)).json.data.map(({ content }) => content),
    /** Saves items in a folder. Items given as text are dynamic when they start with `https:`. */
    async bulk(items: readonly (object | string)[], folderName = 'A folder') {
      const asItem = (item: object | string) =>
        typeof item === 'string' ? { data: item, dynamic: item.startsWith('https:') } : item;
      const { json, status, text } = await post('/qr/bulk', { items: items.map(asItem), folderName });
      if (status !== 200) throw new Error(text);
      const folderId = json.meta.folder_id;
      const { data: codes } = (await get(`/folders/${folderId}/codes?limit=100`)).json;
      return { folderId, results: json.results, codes };
    },
  };
};

/** Creates an account, and returns it with functions that make its calls. */
export const newClient = async (
  app: Pick<TestApp, 'call' | 'account'>,
  wanted: Parameters<TestApp['account']>[0] = {},
) => {
  const made = await app.account(wanted);
  return { ...made, ...clientOf(app, made.key) };
};
