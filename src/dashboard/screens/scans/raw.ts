/** Every single scan of a period, as a file. */
import { askRaw, Fault, saveBlob } from '../../api/client.ts';

/** Bounds the file, which stays in memory until it is saved: half a million scans. */
const PAGES_MAX = 100;
const PAGE_ROWS = '5000';
/** How many times in a row a request may be throttled before a download gives up. */
const WAITS_MAX = 10;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads a page, and waits as long as the service asks. @throws {Fault} */
const readPage = async (query: URLSearchParams): Promise<Response> => {
  for (let waits = 0; ; waits += 1) {
    try {
      return await askRaw(`api/v1/scans/raw?${query}`);
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== 429 || waits === WAITS_MAX) throw error;
      await sleep((error.retryAfterS ?? 1) * 1000);
    }
  }
};

/** Saves single scans as CSV, page after page. Returns whether these are all of them. @throws {Fault} */
export const saveSingleScans = async (asked: Readonly<Record<string, string>>): Promise<boolean> => {
  const query = new URLSearchParams({ ...asked, format: 'csv', limit: PAGE_ROWS });
  const parts: string[] = [];
  let next: string | null = null;
  for (let page = 0; page === 0 || (next !== null && page < PAGES_MAX); page += 1) {
    const response = await readPage(query);
    parts.push(await response.text());
    next = response.headers.get('tessera-next-cursor');
    if (next !== null) query.set('cursor', next);
  }
  saveBlob('single-scans.csv', new Blob(parts, { type: 'text/csv' }));
  return next === null;
};
