/** The choice of the page's language. */
import { toScreenPath } from '../api/client.ts';
import { LANGUAGE, say } from './say.ts';

/** The languages that are built, in their own words. */
const LANGUAGES = [
  ['en', 'English'],
  ['de', 'Deutsch'],
] as const;

const YEAR_S = 31_536_000;

/** Keeps the choice in a cookie, by which the service sends the page from now on, and loads it in that language. */
const choose = (language: string): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: browsers have the Cookie Store API only under https.
  document.cookie = `tessera_language=${language}; path=${toScreenPath()}; max-age=${YEAR_S}; samesite=lax`;
  location.reload();
};

export const LanguageChoice = () => (
  <select
    class="language"
    aria-label={say('Language')}
    value={LANGUAGE}
    onChange={(event) => choose(event.currentTarget.value)}
  >
    {LANGUAGES.map(([language, name]) => (
      <option key={language} value={language} lang={language}>
        {name}
      </option>
    ))}
  </select>
);
