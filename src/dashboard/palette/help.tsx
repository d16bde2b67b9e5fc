/** The list of shortcuts. */
import { useState } from 'preact/hooks';
import { Button } from '../ui/buttons.tsx';
import { CheckInput } from '../ui/fields.tsx';
import { Dialog } from '../ui/form.tsx';
import { say } from '../words/say.ts';
import { COMMAND, hasSingleKeys, setSingleKeys } from './here.ts';
import { GO } from './shortcuts.ts';

const SHORTCUTS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [[COMMAND, 'K'], say('Search everything, go anywhere, do anything')],
  [['/'], say('Search on this screen')],
  [['?'], say('Show these shortcuts')],
  ...GO.map(([key, name]) => [['g', key], say('Go to {name}', { name })] as const),
  [['Esc'], say('Close a dialog or a menu')],
];

/** Shows all shortcuts, and whether keys alone do something. */
export const Help = ({ onClose }: { readonly onClose: () => void }) => {
  const [isOn, setOn] = useState(hasSingleKeys);
  const toggle = (next: boolean): void => {
    setSingleKeys(next);
    setOn(next);
  };
  return (
    <Dialog title={say('Keyboard shortcuts')} onClose={onClose}>
      <dl class="shortcuts">
        {SHORTCUTS.map(([keys, what]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <CheckInput
        label={say('Shortcuts of single keys')}
        hint={say('Without them, only those with Ctrl or ⌘ work on this browser.')}
        isOn={isOn}
        onToggle={toggle}
      />
      <div class="row">
        <Button onClick={onClose}>{say('Close')}</Button>
      </div>
    </Dialog>
  );
};
