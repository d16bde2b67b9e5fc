/** What the person at the terminal is told, in a line or a few. Anything else that is thrown is a bug. */
export class CliFault extends Error {
  /** 1: it failed; 2: it was called in a way that makes no sense. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2) {
    super(message);
    this.name = 'CliFault';
    this.exitCode = exitCode;
  }
}

export const failed = (message: string): CliFault => new CliFault(message, 1);
export const misused = (message: string): CliFault => new CliFault(message, 2);
