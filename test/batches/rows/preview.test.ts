/** What a preview says of a file before it is sent: its columns, and all that is wrong with its rows. */
import fc from 'fast-check';
import t from 'tap';
import { foldName, SYNONYMS } from '../../../src/csv/match.ts';
import { newSender, sharedBatchApp } from '../support.ts';

const { app } = await sharedBatchApp();

/** The fields of a preview that these tests read. */
interface Previewed {
  readonly columns: readonly { readonly field: string | null }[];
  readonly compared_rows: number;
  readonly fault: string | null;
  readonly faulty_rows: readonly {
    readonly file_row: number;
    readonly faults: readonly { readonly field: string; readonly message: string }[];
  }[];
}

const previewer = async () => {
  const { preview, send, ended, errorsOf } = await newSender(app);
  return {
    async look(body: string, query = '', design: object = {}) {
      const headers = { design: JSON.stringify(design) };
      return (await preview(body, 'text/csv', `?${query}`, headers)).json as unknown as Previewed;
    },
    async errorsIn(body: string, query = '') {
      const sent = await send(body, { query: `?${query}`, headers: { 'content-type': 'text/csv' } });
      const { id } = await ended(sent.json.id);
      return errorsOf(id);
    },
  };
};

t.test('all faults of a row are told at once, in their row of the file', async (t) => {
  const { look } = await previewer();
  const file =
    'data,dynamic,slug,width,dotsOptions.color,tags\n\nx,,,300,red,a;b\nmailto:a,yes,,20,blau,a;a\n,perhaps,abc,wide,,\nhttps://a.example/,yes,,,,\n';
  const { faulty_rows: rows, compared_rows: compared, fault } = await look(file);
  t.strictSame([fault, compared], [null, 4]);
  t.match(rows, [
    {
      file_row: 4,
      faults: [
        { field: 'width', message: 'must be at least 50' },
        { field: 'dotsOptions.color', message: /CSS colour/ },
        { field: 'tags.1', message: /each tag once/ },
        { field: 'data', message: /http/ },
      ],
    },
    {
      file_row: 5,
      faults: [
        { field: 'dynamic', message: 'must be true or false' },
        { field: 'width', message: 'must be a number' },
        { field: 'data', message: /empty|blank/ },
      ],
    },
  ]);
  t.equal(rows.length, 2);
});

t.test(
  'a row is faulty in a preview exactly if a batch refuses it, and there with a fault of its own',
  async () => {
    const { look, errorsIn } = await previewer();
    const cell = fc.constantFrom('', 'x', 'https://a.example/', 'yes', '20', '300', 'é'.repeat(2000), '0');
    const row = fc.tuple(cell, cell, cell);
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (cells) => {
        const wrong = cells.filter((each) => each.some((text) => text !== ''));
        if (wrong.length === 0) return true;
        // A last row that is always wrong, so that nothing is made.
        const file = `data,dynamic,width\n${[...wrong, ['y', '', '1']].map((each) => each.join(',')).join('\n')}\n`;
        const [{ faulty_rows: rows }, errors] = await Promise.all([look(file), errorsIn(file)]);
        const told = (fileRow: number) => rows.find((each) => each.file_row === fileRow);
        return (
          rows.length === errors.length &&
          errors.every(({ row: number, field }) =>
            told(number + 1)?.faults.some((each) => each.field === field),
          )
        );
      }),
      { numRuns: 12 },
    );
  },
);

t.test(
  'rows with too few or too many cells are faulty, and repeated rows as far as they are refused',
  async (t) => {
    const { look } = await previewer();
    t.match((await look('data,name\na\nb,c,d\ne,f\n')).faulty_rows, [
      { file_row: 2, faults: [{ field: 'row', message: 'has 1 cell, and the header row has 2' }] },
      { file_row: 3, faults: [{ field: 'row', message: 'has 3 cells, and the header row has 2' }] },
    ]);
    const twice = 'data,external_id\na,1\nb,1\n';
    t.strictSame((await look(twice)).faulty_rows, []);
    t.match((await look(twice, 'unique=external_id')).faulty_rows, [
      { file_row: 3, faults: [{ field: 'external_id', message: /^repeats row 2 of the file/ }] },
    ]);
  },
);

t.test('a text that no symbol holds, and a picture that is too small for it, are faults', async (t) => {
  const { look } = await previewer();
  const long = 'https://example.com/'.padEnd(900, 'x');
  t.match((await look(`data\n${'é'.repeat(2000)}\n${long}\n`, '', { width: 100, height: 100 })).faulty_rows, [
    { file_row: 2, faults: [{ field: 'data' }] },
    { file_row: 3 },
  ]);
  t.strictSame((await look(`data\n${long}\n`, '', { width: 1000, height: 1000 })).faulty_rows, []);
});

t.test('columns are known by their names in four languages, and the content by its addresses', async (t) => {
  const { look } = await previewer();
  const fieldsOf = async (file: string) => (await look(file)).columns.map(({ field }) => field);
  for (const header of [
    'Web address,Name,Article number,Tags',
    'Webadresse,Bezeichnung,Artikelnummer,Schlagwörter',
    'Adresse_web,Désignation,Référence,Étiquettes',
    'Dirección web,Título,Referencia,Etiquetas',
  ])
    t.strictSame(await fieldsOf(`${header}\na,b,c,d\n`), ['data', 'name', 'external_id', 'tags'], header);
  for (const names of SYNONYMS.values())
    for (const name of names) t.equal(foldName(name), name, `${name} is as names are folded`);
  const row = (place: string) => `x,${place}\n`;
  t.strictSame(await fieldsOf(`A,Ziel\n${row('https://a.example/')}`), [null, 'data']);
  const mostly = Array.from({ length: 9 }, () => row('http://a.example')).join('') + row('htp//a');
  t.strictSame(await fieldsOf(`A,Ziel\n${mostly}`), [null, 'data'], 'although a row is wrong');
  t.strictSame(await fieldsOf('A,B\nhttps://a.example,https://b.example\n'), [null, null], 'two may be it');
  t.strictSame(await fieldsOf('url,Link,title\na,b,c\n'), [null, null, 'name'], 'two are called so');
  t.match(await look('url,Link\na,b\n'), { fault: /can both be data/ });
});

t.test('the delimiter is told, and what the file says itself is taken', async (t) => {
  const { look } = await previewer();
  t.match(await look('data;name\na,b;c\n'), { delimiter: ';', rows: [['a,b', 'c']] });
  t.match(await look('sep=|\ndata|name\na;b|c\n'), { delimiter: '|', file_rows: [2], rows: [['a;b', 'c']] });
});
