import { screen } from '../../base.ts';
import { Icon, type IconName } from '../../frame/icons.tsx';
import type { Done, StepName } from './use-first-steps.ts';

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
    text: 'Choose content and looks, see at once how well it scans, and save it.',
    path: '/design',
    action: 'Design a code',
  },
  {
    name: 'batch',
    icon: 'import',
    title: 'Many codes from a table',
    text: 'A spreadsheet with one row a code becomes a folder, a ZIP and labels.',
    path: '/import',
    action: 'Import a table',
  },
  {
    name: 'key',
    icon: 'key',
    title: 'A key for your program',
    text: 'With a key of its own your shop or your script makes codes by itself.',
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
        <button type="button" class="quiet" onClick={onHide}>
          Hide
        </button>
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
              <a class={`button ${name === next ? 'primary' : ''}`} href={screen(path)}>
                {action}
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
};
