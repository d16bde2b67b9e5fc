/** What this browser and its keyboard have. */
import { keep, readKept } from '../ui/kept/stored.ts';
import { say } from '../words/say.ts';

const KEY = 'tessera.single-keys';

/** Whether this browser has shortcuts of single keys, which some input methods press by mistake. */
export const hasSingleKeys = (): boolean => readKept(KEY) !== 'off';
export const setSingleKeys = (isOn: boolean): void => keep(KEY, isOn ? 'on' : 'off');

/** How keyboards of this system call the key beside `K` in the palette's shortcut. */
export const COMMAND = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘' : say('Ctrl');
