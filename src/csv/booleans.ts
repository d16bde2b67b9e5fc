/** Words for true and false, as people and spreadsheets of several languages write them. */

const TRUE =
  'true 1 yes y on t x ✓ ✔ ✅ wahr ja j vrai oui o verdadero si sí s vero sì verdadeiro sim waar sant sand tosi kyllä prawda tak истина да'.split(
    ' ',
  );
const FALSE =
  'false 0 no n off f - – ✗ ✘ ❌ falsch nein faux non falso não nao onwaar nee falskt falsk usann epätosi ei fałsz nie ложь нет'.split(
    ' ',
  );

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...TRUE.map((word) => [word, true] as const),
  ...FALSE.map((word) => [word, false] as const),
]);

/** Returns the meaning of a word, ignoring case and surrounding whitespace; `null` for other words. */
export const truthOf = (text: string): boolean | null =>
  WORDS.get(text.trim().normalize('NFC').toLowerCase()) ?? null;
