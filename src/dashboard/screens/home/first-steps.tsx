import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { toScreenPath } from '../../base.ts';
import { useSession } from '../../session.ts';
import { keep, readKept } from '../../ui/browser.ts';
import { Quiet } from '../../ui/buttons.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { DESIGNED_FOLDER } from '../codes/names.ts';

/** What a new account does first. */
type StepName = 'code' | 'batch' | 'key';

type Done = Readonly<Record<StepName, boolean>>;

const loadDone = async (signal: AbortSignal): Promise<Done> => {
  const [codes, folders, batches, keys] = await Promise.all([
    ask(api.GET('/api/v1/codes', { params: { query: { limit: 1 } }, signal })),
    ask(api.GET('/api/v1/folders', { params: { query: { limit: 5 } }, signal })),
    ask(api.GET('/api/v1/batches', { params: { query: { limit: 1 } }, signal })),
    ask(api.GET('/api/v1/keys', { params: { query: { limit: 2 } }, signal })),
  ]);
  // Codes that the designer saved do not show that a table was imported.
  const hasTable = folders.data.some(({ name, code_count: held }) => held > 1 && name !== DESIGNED_FOLDER);
  return {
    code: codes.data.length > 0,
    batch: batches.data.length > 0 || hasTable,
    // One of them is the key with which the person has signed in.
    key: keys.data.length > 1,
  };
};

const keyOf = (accountId: string): string => `tessera.first-steps.${accountId}`;

/**
 * Returns which first steps the account has done: `null` when all are done or somebody has hidden them, and `undefined`
 * while that is not known. The browser remembers that the steps are over, and then asks no more.
 */
export const useFirstSteps = (): { readonly done: Done | null | undefined; readonly hide: () => void } => {
  const { id } = useSession().account;
  const [isHidden, setHidden] = useState(() => readKept(keyOf(id)) !== null);
  const { data, error } = useRead(['first-steps'], loadDone, { enabled: !isHidden });
  const remember = () => keep(keyOf(id), 'over');
  const hide = (): void => {
    remember();
    setHidden(true);
  };
  if (isHidden || error !== null) return { done: null, hide };
  if (data === undefined || !data.code || !data.batch || !data.key) return { done: data, hide };
  remember();
  return { done: null, hide };
};

const STEPS: readonly {
  readonly name: StepName;
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly path: string;
  readonly action: string;
}[] = [
  {
    name: 'code',
    icon: 'designer',
    title: 'Your first code',
    text: 'Choose its content and look, see at once how well it scans, and save it.',
    path: '/design',
    action: 'Design a code',
  },
  {
    name: 'batch',
    icon: 'import',
    title: 'Many codes from a table',
    text: 'A spreadsheet with one row per code becomes a folder, a ZIP and labels.',
    path: '/import',
    action: 'Import a table',
  },
  {
    name: 'key',
    icon: 'key',
    title: 'A key for your program',
    text: 'With its own key, your shop or script can make codes by itself.',
    path: '/keys',
    action: 'Create a key',
  },
];

/** Shows what a new account can do first, and which of it is done. */
export const FirstSteps = ({ done, onHide }: { readonly done: Done; readonly onHide: () => void }) => {
  const next = STEPS.find(({ name }) => !done[name])?.name;
  return (
    <section class="card first-steps" aria-labelledby="first-steps-title">
      <header class="card-head">
        <h2 id="first-steps-title">First steps</h2>
        <Quiet onClick={onHide}>Hide</Quiet>
      </header>
      <ol>
        {STEPS.map(({ name, icon, title, text, path, action }) => (
          <li key={name} class={done[name] ? 'done' : ''}>
            <span class="step-icon">
              <Icon name={done[name] ? 'done' : icon} />
            </span>
            <h3>
              {title}
              {done[name] && <span class="hidden">: done</span>}
            </h3>
            <p class="muted small">{text}</p>
            {!done[name] && (
              <a class={`button ${name === next ? 'primary' : ''}`} href={toScreenPath(path)}>
                {action}
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
};
