/** A receipt as one page of HTML, to file with the job. It runs no script and loads nothing. */
import { pluralise } from '../../texts.ts';
import { explain } from '../judge.ts';
import { type Entry, readEntry, type Statement } from './statement.ts';

/** Codes that are named on the page; the others are in the JSON. */
const LISTED = 25;
const TEXT_MAX_CHARACTERS = 80;

const STYLE = `
@page { size: A4; margin: 15mm }
body { margin: 2rem auto; max-width: 46rem; padding: 0 1rem; color: #111; background: #fff; font: 14px/1.45 system-ui, sans-serif }
h1 { font-size: 1.5rem; margin: 0 0 .25rem }
h2 { font-size: 1rem; margin: 1.25rem 0 .25rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .2rem .75rem .2rem 0; border-bottom: 1px solid #ddd }
th { font-weight: 600; white-space: nowrap }
code { font: 11px/1.4 ui-monospace, monospace; overflow-wrap: anywhere }
p { margin: .25rem 0 }
`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Returns a text as HTML. What would control the page or the direction of its text becomes a visible sign. */
const html = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd').replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);

const shortened = (text: string): string => {
  const characters = [...text];
  if (characters.length <= TEXT_MAX_CHARACTERS) return text;
  return `${characters.slice(0, TEXT_MAX_CHARACTERS).join('')}…`;
};

const rows = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `<tr><th>${html(name)}</th><td>${html(value)}</td></tr>`).join('\n');

const troubleOf = (entry: Entry): string => {
  const text = shortened(entry.expected ?? entry.text ?? '');
  const name = entry.name === undefined ? '' : `${html(shortened(entry.name))}<br>`;
  return `<tr><td>${name}${html(text)}</td><td>${html(explain(entry) ?? '')}</td><td>${entry.grade ?? '–'}</td><td><code>${html(entry.id)}</code></td></tr>`;
};

/** What the page lists, gathered from the lines of a receipt one by one. */
export const createTroubles = () => {
  const listed: Entry[] = [];
  let count = 0;
  return {
    add(line: string): void {
      const entry = readEntry(line);
      if (entry.result === 'passed') return;
      count += 1;
      if (listed.length < LISTED) listed.push(entry);
    },
    /** The first ones, and how many there are. */
    get all() {
      return { listed, count };
    },
  };
};

const troublesPart = ({ listed, count }: ReturnType<typeof createTroubles>['all']): string => {
  if (count === 0) return '<p>Every reader read the right text in every picture under every condition.</p>';
  const more = count > listed.length ? `<p>And ${count - listed.length} more: see the JSON receipt.</p>` : '';
  return `<table>
<tr><th>Name and text</th><th>What was seen</th><th>Grade</th><th>Code</th></tr>
${listed.map(troubleOf).join('\n')}
</table>
${more}`;
};

const UNFINISHED =
  'Batches were adding codes to the folder meanwhile: some of their codes may not have been read.';

const tellDuplicates = ({ contents, codes }: Statement['summary']['duplicates']): string =>
  contents === 0
    ? 'No two codes have the same content.'
    : `${pluralise(contents, 'content occurs', 'contents occur')} more than once, in ${codes} codes.`;

/** Writes the page. @param statement What `jws` signs. */
export const writePage = (
  { statement, jws }: { readonly statement: Statement; readonly jws: string },
  troubles: ReturnType<typeof createTroubles>['all'],
): string => {
  const { id, installation, folder, finished_at, begun_at, software, conditions, summary } = statement;
  const { codes, passed, weak, failed, missing, grades, duplicates } = summary;
  const { unfinished_batches: unfinished } = statement;
  const title = folder === null ? 'chosen codes' : shortened(folder.name);
  const gradeTexts = Object.entries(grades)
    .sort()
    .reverse()
    .map(([grade, count]) => `${count} of grade ${grade}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Receipt of ${html(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Receipt: ${html(title)}</h1>
<p>${codes} codes were drawn and read again. ${passed} passed, ${weak} are weak, ${failed} failed, ${missing} are missing.</p>
<p>${tellDuplicates(duplicates)}${unfinished === 0 ? '' : ` ${UNFINISHED}`}</p>
<table>
${rows([
  ['Receipt', id],
  ...(folder === null ? [] : [['Folder', folder.id] as const]),
  ['Installation', installation],
  ['Begun', begun_at],
  ['Finished', finished_at],
  ['Grades', gradeTexts.join(', ') || '–'],
  ['Software', Object.values(software).join(', ')],
])}
</table>
<h2>What was not read everywhere</h2>
${troublesPart(troubles)}
<h2>Conditions</h2>
<table>
${rows(Object.entries(conditions))}
</table>
<p>passed: every reader reads the right text under every condition. weak: every reader reads it sharp, not under every other condition. failed: a reader does not read it sharp, or one reads another text. missing: there is no picture. Grades are graded like ISO/IEC 15415 on the picture.</p>
<h2>Signature</h2>
<p>Ed25519, of the statement above and the SHA-256 of the list of codes. The JSON receipt has that list; <code>tessera receipt verify</code> checks it. The public key is at <code>${html(installation)}/.well-known/tessera-receipts</code>.</p>
<p><code>${html(jws)}</code></p>
</body>
</html>
`;
};
