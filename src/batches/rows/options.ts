/** The stored options of a batch. */
import Value from 'typebox/value';
import { type ContentPlan, planContent } from './content.ts';
import { BatchOptions } from './schema.ts';

/** Reads the batch-wide options. @throws {Error} When they differ from what was validated. */
export const readOptions = (
  design: object,
): { readonly options: BatchOptions; readonly plan: ContentPlan } => {
  const plan = Value.Check(BatchOptions, design) ? planContent(design) : null;
  if (plan === null || !plan.ok) throw new Error('the stored design of a batch is damaged');
  return { options: design as BatchOptions, plan: plan.value };
};
