/** The list of shortcuts. */
import { useState } from 'preact/hooks';
import { Button } from '../ui/buttons.tsx';
import { CheckInput } from '../ui/fields.tsx';
import { Dialog } from '../ui/form.tsx';
import { COMMAND, hasSingleKeys, setSingleKeys } from './here.ts';
import { GO } from './shortcuts.ts';

const SHORTCUTS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [[COMMAND, 'K'], 'Search everything, go anywhere, do anything'],
  [['/'], 'Search on this screen'],
  [['?'], 'Show these shortcuts'],
  ...GO.map(([key, name]) => [['g', key], `Go to ${name}`] as const),
  [['Esc'], 'Close a dialog or a menu'],
];

/** Shows all shortcuts, and whether keys alone do something. */
export const Help = ({ onClose }: { readonly onClose: () => void }) => {
  const [isOn, setOn] = useState(hasSingleKeys);
  const toggle = (next: boolean): void => {
    setSingleKeys(next);
    setOn(next);
  };
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
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
        label="Shortcuts of single keys"
        hint="Without them, only those with Ctrl or ⌘ work on this browser."
        isOn={isOn}
        onToggle={toggle}
      />
      <div class="row">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
};
