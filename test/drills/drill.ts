/** What the commands of all drills have in common. */
import { whole } from '../../bench/command/whole.ts';

/** The options of the load. @param text What `--seconds` means. */
export const loadOptions = (text: string) =>
  ({
    seconds: { type: 'string', default: '10', value: 's', least: 0, text },
    callers: whole('calls under way at a time', 8),
  }) as const;

/** Returns the load that was asked for. */
export const loadOf = ({ seconds, callers }: { readonly seconds: string; readonly callers: string }) => ({
  callers: Number(callers),
  loadMs: 1000 * Number(seconds),
});

/** Prints a line. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Prints what is broken, or else `good`. The process ends with 1 when anything is. */
export const conclude = (faults: readonly string[], good: string): void => {
  for (const fault of faults) say(`BROKEN: ${fault}`);
  if (faults.length === 0) say(good);
  process.exitCode = faults.length === 0 ? 0 : 1;
};
