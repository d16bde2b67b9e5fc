/** A failure to report to the user in a line or a few. Any other thrown error is a bug. */
export class CliFault extends Error {
  /** 1 when the command failed, 2 for a usage error. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2) {
    super(message);
    this.name = 'CliFault';
    this.exitCode = exitCode;
  }
}

/** Returns a fault with exit code 1: the command failed. */
export const commandError = (message: string): CliFault => new CliFault(message, 1);
/** Returns a fault with exit code 2: a usage error. */
export const usageError = (message: string): CliFault => new CliFault(message, 2);
