/** What is wrong with GS1 data, in words for the person who sent it. */
export interface Gs1Fault {
  /** The AI that it is about; `null` when it is about the form of the whole text. */
  readonly ai: string | null;
  /** The character of the sent text where it is, from 1. */
  readonly position: number;
  /** What is wrong and what to do, without the AI and the position. */
  readonly message: string;
}

/** What is wrong with one value. */
export interface Problem {
  /** The character of the value where it is, from 0. */
  readonly offset: number;
  readonly message: string;
}

/** The most faults that are listed; a text with more is not read to its end. */
export const FAULTS_MAX = 10;

const SHOWN_MAX = 30;

/** Returns a part of the sent text as faults show it: cut off where it is long. */
export const shorten = (text: string): string =>
  text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;

/** Returns a fault as one sentence that names the AI and the position. */
export const tellFault = ({ ai, position, message }: Gs1Fault): string =>
  `${ai === null ? '' : `AI (${ai}), `}character ${position}: ${message}`;
