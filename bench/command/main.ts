/** Starts a command by its arguments. */
import { type Given, readCommand } from './command.ts';
import type { Command, Options } from './spec.ts';

/** What the process ends with when its arguments are wrong. */
const MISUSED = 2;

/** Ends the process with 2, after saying what is wrong with its arguments. */
export const misuse = (fault: string): never => {
  process.stderr.write(`${fault}\n`);
  return process.exit(MISUSED);
};

/**
 * Returns the options that the process was given. Ends the process after `--help`, with 0, and where an option is
 * unknown or wrong, with 2: call it before anything starts.
 */
export const commandLine = <const O extends Options>(command: Command<O>): Given<O> => {
  const reading = readCommand(command, process.argv.slice(2));
  if (reading.kind === 'fault') return misuse(reading.text);
  if (reading.kind === 'help') {
    process.stdout.write(`${reading.text}\n`);
    return process.exit(0);
  }
  return reading;
};
