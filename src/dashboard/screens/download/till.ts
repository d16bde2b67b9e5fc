/** What is asked of a printed GS1 code beside its size. */

/** Whether tills must read it, and whether its numbers stand below it as people read them. */
export interface TillChoice {
  readonly till: boolean;
  readonly text: boolean;
}

/** A code that is no GS1 code. */
export const NOT_FOR_TILLS: TillChoice = { till: false, text: false };

/** Returns the choice as the service takes it, in a query or in the options of a batch. */
export const toParameters = ({ till, text }: TillChoice) => ({
  ...(till && { till }),
  ...(text && { text: 'gs1' as const }),
});
