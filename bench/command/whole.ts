/** An option that takes a whole number, `usual` where it is not given. */
export const whole = (text: string, usual: number, least = 1) =>
  ({ type: 'string', value: 'n', isWhole: true, default: String(usual), least, text }) as const;
