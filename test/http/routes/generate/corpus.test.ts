/** The corpus of `qr-code-styling` through the API: what callers who migrate send, and get. */
import t from 'tap';
import { pictureOf, sharedApp } from '../../../support/app/app.ts';
import { someOf } from '../../../support/cases.ts';
import {
  corpusCases,
  corpusOptions,
  corpusPng,
  type LibraryOptions,
} from '../../../support/pictures/corpus.ts';
import { decodePng } from '../../../support/pictures/decode.ts';
import { differenceOf, pixelsOf } from '../../../support/pictures/pictures.ts';

/** The invisible difference between the anti-aliasing of two rasterisers. */
const MAX_MEAN = 0.5;
const MAX_FAR_OFF = 0.001;

/** Cases that the schema refuses, with the field that the answer names. */
const REFUSED: Readonly<Record<string, string>> = {
  'c076-bg-none': 'backgroundOptions.color',
  'c101-margin-neg': 'margin',
  'c121-image': 'image',
  'c189-unknowntype': 'cornersSquareOptions.type',
  'c191-stringnumbers': 'width',
  'c192-floatsize': 'width',
};

/** The library keeps only one byte of each UTF-16 unit; we write UTF-8, so these differ on purpose. */
const BROKEN_BY_THE_LIBRARY = ['c155-text-utf8', 'c157-text-utf8pre', 'c159-text-latin1'];

const { call, account } = await sharedApp();
const { key } = await account();

/** The library's defaults, where ours differ: no quiet zone, level Q, and the centres of lone discs. */
const requestOf = (options: LibraryOptions): object => ({
  margin: 0,
  ...options,
  qrOptions: { errorCorrectionLevel: 'Q', ...options.qrOptions },
  ...(options.dotsOptions?.type === 'dots' && {
    cornersDotOptions: { type: 'dots', ...options.cornersDotOptions },
  }),
});

const send = (name: string) =>
  call({ method: 'POST', url: '/api/v1/qr', key, body: requestOf(corpusOptions({ name })) });

t.test('unsupported options are refused by name', async (t) => {
  for (const [name, field] of Object.entries(REFUSED)) {
    const answer = await send(name);
    t.equal(answer.status, 400, name);
    t.ok(answer.json.details.startsWith(`${field}: `), `${name}: ${answer.json.details}`);
  }
});

t.test('every other picture matches that of the library, and is readable if that one is', async (t) => {
  const accepted = corpusCases().filter(({ name }) => !(name in REFUSED));
  t.equal(accepted.length, 96);
  const kindOf = (name: string) => name.replace(/^c\d+-/, '');
  const kinds = [...new Set(accepted.map(({ name }) => kindOf(name)))];
  const some = kinds.flatMap((kind) => someOf(accepted.filter(({ name }) => kindOf(name) === kind)));
  let [compared, read] = [0, 0];
  let worst = { mean: 0, name: '' };
  for (const known of some) {
    const { name } = known;
    const answer = await send(name);
    t.equal(answer.status, 200, `${name}: ${answer.text.slice(0, 200)}`);
    const png = pictureOf(answer);
    if (known.jsqr === 'exact' || known.zbar === 'exact' || BROKEN_BY_THE_LIBRARY.includes(name)) {
      t.equal(await decodePng(png), corpusOptions({ name }).data, `${name} is readable`);
      read += 1;
    }
    if (BROKEN_BY_THE_LIBRARY.includes(name)) continue;
    const difference = differenceOf(await pixelsOf(png), await pixelsOf(corpusPng(known)));
    if (difference.mean > worst.mean) worst = { mean: difference.mean, name };
    t.ok(difference.mean <= MAX_MEAN, `${name}: mean difference ${difference.mean}`);
    t.ok(difference.farOff <= MAX_FAR_OFF, `${name}: far off ${difference.farOff}`);
    compared += 1;
  }
  t.equal(compared, some.length - BROKEN_BY_THE_LIBRARY.length);
  t.comment(`${compared} compared, ${read} read, worst mean ${worst.mean.toFixed(3)} of 255 (${worst.name})`);
});
