import { BASE } from '../base.ts';
import { toRefusal, toUnreachable } from './client.ts';

/** What is sent, and how the page follows it. */
export interface Upload {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The browser reads a file while it sends it, and never holds all of it. */
  readonly body: Blob | FormData;
  readonly signal: AbortSignal;
  readonly onProgress: (sentBytes: number, totalBytes: number) => void;
}

/**
 * Posts a body and returns the JSON of a successful answer. `fetch` does not report upload progress.
 *
 * @throws {Fault} For every other answer, and when none comes.
 * @throws {DOMException} `AbortError` when the signal aborts.
 */
export const upload = <T>({ path, headers, body, signal, onProgress }: Upload): Promise<T> =>
  new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const answer = async (): Promise<T> => {
      const headers = { 'retry-after': xhr.getResponseHeader('retry-after') ?? '' };
      const response = new Response(xhr.responseText, { status: xhr.status, headers });
      if (!response.ok) throw await toRefusal(response);
      return (await response.json()) as T;
    };
    xhr.open('POST', `${BASE}${path}`);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    xhr.onload = () => answer().then(resolve, reject);
    xhr.onerror = () => reject(toUnreachable());
    xhr.onabort = () => reject(new DOMException('The upload was stopped', 'AbortError'));
    signal.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(body);
  });
