import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { useSession } from '../../session.ts';
import { useLoad } from '../../ui/use-load.ts';
import { DESIGNED_FOLDER } from '../codes/names.ts';

/** What a new account does first. */
export type StepName = 'code' | 'batch' | 'key';

/** Which steps are done. */
export type Done = Readonly<Record<StepName, boolean>>;

const loadDone = async (signal: AbortSignal): Promise<Done> => {
  const [codes, folders, batches, keys] = await Promise.all([
    ask(api.GET('/api/v1/codes', { params: { query: { limit: 1 } }, signal })),
    ask(api.GET('/api/v1/folders', { params: { query: { limit: 5 } }, signal })),
    ask(api.GET('/api/v1/batches', { params: { query: { limit: 1 } }, signal })),
    ask(api.GET('/api/v1/keys', { params: { query: { limit: 2 } }, signal })),
  ]);
  // What the designer saves is no sign of a table.
  const hasTable = folders.data.some(({ name, code_count: held }) => held > 1 && name !== DESIGNED_FOLDER);
  return {
    code: codes.data.length > 0,
    batch: batches.data.length > 0 || hasTable,
    // One of them is the key with which the person has signed in.
    key: keys.data.length > 1,
  };
};

const keyOf = (accountId: string): string => `tessera.first-steps.${accountId}`;

const isOver = (accountId: string): boolean => {
  try {
    return localStorage.getItem(keyOf(accountId)) !== null;
  } catch {
    // The browser may forbid pages to keep anything.
    return false;
  }
};

const remember = (accountId: string): void => {
  try {
    localStorage.setItem(keyOf(accountId), 'over');
  } catch {}
};

/**
 * Says which first steps the account has done: `null` when all are, or when somebody has hidden them; `undefined` while
 * that is not known. The browser remembers the end of the steps, and then asks nothing.
 */
export const useFirstSteps = (): { readonly done: Done | null | undefined; readonly hide: () => void } => {
  const { id } = useSession().account;
  const [isHidden, setHidden] = useState(() => isOver(id));
  const { data, state } = useLoad(async (signal) => (isHidden ? null : loadDone(signal)), [id]);
  const hide = (): void => {
    remember(id);
    setHidden(true);
  };
  if (isHidden || state === 'failed') return { done: null, hide };
  if (data === null) return { done: undefined, hide };
  if (!data.code || !data.batch || !data.key) return { done: data, hide };
  remember(id);
  return { done: null, hide };
};
