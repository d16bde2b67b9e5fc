/** The names of the plans. */
export const PLANS = { free: 'Free', pro: 'Pro' } as const;

/** A plan, as the API names it. */
export type Plan = keyof typeof PLANS;

/** The plans as the options of a choice. */
export const PLAN_OPTIONS = (['free', 'pro'] as const).map((value) => ({ value, name: PLANS[value] }));
