/** What tills need of the files of a batch. */
/** Whether tills must read it, and whether its numbers are printed below it for people. */
export interface TillChoice {
  readonly till: boolean;
  readonly text: boolean;
}

/** A code that is not a GS1 code. */
export const NOT_FOR_TILLS: TillChoice = { till: false, text: false };

/** Returns the choice as the options of a batch. */
export const toPrint = ({ till, text }: TillChoice) => ({
  ...(till && { till }),
  ...(text && { text: 'gs1' as const }),
});
