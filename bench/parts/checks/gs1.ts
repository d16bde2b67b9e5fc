import { checkGs1 } from '../../../src/gs1/check.ts';
import { atMost } from '../../verdict.ts';
import { cpuOfCases, type Part } from '../part.ts';

const ROUNDS = 15;
/** 50,000 checks a second on one core. */
const TARGET_US = 20;
/** Warm-up runs, until the code is compiled. */
const WARM_UP_RUNS = 20_000;

const CASES = [
  {
    name: 'an element string in brackets, five AIs',
    text: '(01)09521321000018(10)ABC(21)123(17)261231(3103)000195',
    isValid: true,
  },
  {
    name: 'a Digital Link URI, five AIs',
    text: 'https://example.com/01/09521321000018/10/ABC/21/123?17=261231&3103=000195',
    isValid: true,
  },
  {
    name: 'an element string as sent by a scanner, four AIs',
    text: ']Q301095213210000181726123110AB\u001d21123',
    isValid: true,
  },
  { name: 'a wrong check digit', text: '(01)09521321000011(10)ABC(21)123', isValid: false },
];

/** The cost of checking GS1 data. */
export const gs1: Part = {
  about: 'checking GS1 data',
  async run(_, { share }) {
    const cases = CASES.map(({ text, isValid }) => {
      if (checkGs1(text).ok !== isValid) throw new Error(`the check of ${text} is wrong`);
      for (let n = 0; n < WARM_UP_RUNS; n += 1) checkGs1(text);
      return { run: () => checkGs1(text) };
    });
    const costsMs = await cpuOfCases(cases, Math.ceil(ROUNDS * share));
    return costsMs.map((ms, i) => atMost(CASES[i]!.name, ms * 1000, TARGET_US, 'us'));
  },
};
