/** The words of the dashboard for names of the API. */
import t from 'tap';
import { wordsOf } from '../../src/dashboard/screens/links/link-words.ts';
import { inWords } from '../../src/dashboard/ui/field-words.ts';
import { LINK_TYPES } from '../../src/resolver/link-types.ts';

t.test('every link type of GS1 has words, no two the same', (t) => {
  const words = LINK_TYPES.map(wordsOf);
  t.strictSame(
    LINK_TYPES.filter((rel) => wordsOf(rel) === rel),
    [],
  );
  t.equal(new Set(words).size, words.length);
  t.equal(wordsOf('https://schema.org/review'), 'https://schema.org/review');
  t.end();
});

t.test('what is wrong with a field is said with its label, and which of several it is', (t) => {
  for (const [told, words] of [
    ['rate_limit_per_second: must be at most 5', '“Requests a second”: must be at most 5'],
    ['links.1.rel: must be a link type: gs1:pip', 'Link 2, “What it is about”: must be a link type: gs1:pip'],
    ['links.0.type: is wrong', 'Link 1, “Media type”: is wrong'],
    ['change.set.0.href: is wrong', 'Link 1, “Leads to”: is wrong'],
    ['dotsOptions.color: must be a colour', 'dotsOptions.color: must be a colour'],
    ['Your key lacks: nothing', 'Your key lacks: nothing'],
    ['', ''],
  ] as const)
    t.equal(inWords(told), words);
  t.end();
});
