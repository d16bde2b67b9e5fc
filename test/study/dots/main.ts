/** `npm run study:dots` reads codes as printers with only black dots print them, and compares that with their grades. */
import { percent, say, show, tableOf } from '../../../bench/say.ts';
import { CONDITIONS } from '../../../src/reading/conditions.ts';
import { READERS } from '../../../src/reading/read.ts';
import { commandLine, whole } from '../../support/command.ts';
import { specimens } from '../designs.ts';
import { printAll, WAYS } from './prints.ts';
import { brokenPromises, type Look, readPrints, readShare } from './read.ts';

const { values } = commandLine({
  name: 'npm run study:dots',
  about:
    'Prints random designs with the dots of label printers of 203, 300 and 600 dpi: as graphics of the service for ZPL II and EPL2, and as PDFs by Ghostscript. Reads them sharp, blurred and small with ZXing and ZBar, by grade. Exits with 1 when black prints of grade 4 are read less often than promised: sharp always, blurred 99 %.',
  options: {
    designs: whole('designs, each printed in all resolutions', 110),
    seed: whole('the designs of this seed', 1),
  },
  examples: [['--designs 20 --seed 7', 'a rough answer']],
} as const);

const seed = Number(values.seed);
const prints = await printAll(specimens(seed, Number(values.designs)));
say(`${values.designs} designs of seed ${seed}, ${prints.length} prints`);
const looks = await readPrints(prints);

const COLUMNS = READERS.flatMap((reader) => CONDITIONS.map((condition) => ({ reader, condition })));
for (const way of WAYS) {
  const grades = [4, 3, 2, 1, 0].map((grade) => ({
    grade,
    looks: looks.filter(({ print }) => print.way === way && print.grade === grade),
  }));
  show(
    tableOf(grades, [
      [way, ({ grade }) => `grade ${grade}`],
      ['prints', (row) => new Set(row.looks.map(({ print }) => print)).size],
      ...COLUMNS.map(
        ({ reader, condition }) =>
          [
            `${reader}, ${condition}`,
            ({ looks: all }: (typeof grades)[number]) => {
              const some = all.filter((look) => look.reader === reader && look.condition === condition);
              return some.length === 0 ? '–' : percent(readShare(some));
            },
          ] as const,
      ),
    ]),
  );
}

const tell = ({ print, condition, reader }: Look): string =>
  `${reader} misses design ${print.design}, ${print.way}, ${print.dpi} dpi, ${condition}, module of ${print.modulePx} pixels`;
const missed = looks.filter(({ isRead, print }) => !isRead && print.grade === 4 && print.way !== 'screened');
say(`\n${missed.length} readings of grade 4 in black missed`);
for (const look of missed) say(tell(look));
const broken = brokenPromises(looks);
for (const { way, condition, share } of broken)
  say(`grade 4, ${way}, ${condition}: only ${percent(share)} are read`);
process.exitCode = broken.length === 0 ? 0 : 1;
