/** The pure parts of a design: modules and their neighbours, gradients, and the space for a logo. */

import fc from 'fast-check';
import t from 'tap';
import { dotPath, type Grid, gridPath, LEFT, neighboursAt, RIGHT } from '../../../workers/design/dots.ts';
import { placeLogo, RESTORABLE } from '../../../workers/design/geometry.ts';
import {
  formatRatio,
  linearEnds,
  radialCircle,
  turnGradient,
  visibleStops,
} from '../../../workers/design/gradient.ts';
import { boxPath } from '../../../workers/design/markup.ts';
import { dataModules, finderCells } from '../../../workers/design/modules.ts';
import { DOT_TYPES, namesOf } from '../../../workers/lists.ts';
import { type Design, type Gradient, isFault } from '../../../workers/protocol.ts';
import { fewestOf } from '../../support/cases.ts';

const bits = (size: number) => fc.uint8Array({ minLength: size ** 2, maxLength: size ** 2, max: 1 });
const grid: fc.Arbitrary<Grid> = fc
  .integer({ min: 1, max: 9 })
  .chain((size) => bits(size).map((cells) => ({ size, cells })));
const isDrawn = ({ size, cells }: Grid, row: number, column: number): boolean =>
  row >= 0 && row < size && column >= 0 && column < size && cells[row * size + column] === 1;

t.test('data modules are those outside finder patterns and the hidden area of the logo', async () => {
  const odd = fc.integer({ min: 0, max: 4 }).map((half) => 2 * half + 1);
  const symbol = fc.integer({ min: 1, max: 4 }).chain((version) => {
    const size = 17 + 4 * version;
    return bits(size).map((modules) => ({ size, modules }));
  });
  fc.assert(
    fc.property(symbol, fc.option(fc.record({ columns: odd, rows: odd })), ({ size, modules }, hidden) => {
      const { cells } = dataModules({ size, modules }, hidden);
      const isFinder = (row: number, column: number) =>
        (row < 7 && (column < 7 || column >= size - 7)) || (row >= size - 7 && column < 7);
      const middle = (size - 1) / 2;
      return modules.every((module, i) => {
        const [row, column] = [Math.floor(i / size), i % size];
        const isHidden =
          hidden !== null &&
          Math.abs(row - middle) <= (hidden.rows - 1) / 2 &&
          Math.abs(column - middle) <= (hidden.columns - 1) / 2;
        return cells[i] === (isFinder(row, column) || isHidden ? 0 : module);
      });
    }),
    { numRuns: 50 },
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 21, max: 177 }),
      (size) =>
        String(finderCells(size)) ===
        String([
          [0, 0],
          [0, size - 7],
          [size - 7, 0],
        ]),
    ),
  );
});

t.test('a module knows which of its neighbours are drawn', async (t) => {
  t.strictSame([RIGHT, LEFT], [2, 8]);
  fc.assert(
    fc.property(grid, fc.nat(8), fc.nat(8), (one, y, x) => {
      const [row, column] = [y % one.size, x % one.size];
      const sides = [
        [-1, 0],
        [0, 1],
        [1, 0],
        [0, -1],
      ] as const;
      const mask = sides.reduce(
        (sum, [down, right], i) => sum + (isDrawn(one, row + down, column + right) ? 2 ** i : 0),
        0,
      );
      return neighboursAt(one, row, column) === mask;
    }),
    { numRuns: 300 },
  );
});

t.test('corners without adjacent neighbours are rounded by the rule of each style', async (t) => {
  const [top, right, bottom, left] = [1, 2, 4, 8];
  const free = (mask: number) =>
    [top | left, top | right, bottom | right, bottom | left].map((edges) => (mask & edges) === 0);
  const LEAF = [true, false, true, false];
  for (let mask = 0; mask < 16; mask += 1) {
    const count = [top, right, bottom, left].filter((side) => (mask & side) !== 0).length;
    const radii = (radius: number, may: readonly boolean[] = [true, true, true, true]) =>
      free(mask).map((isFree, i) => (isFree && may[i] ? 10 * radius : 0)) as unknown as readonly [
        number,
        number,
        number,
        number,
      ];
    const path = (type: Parameters<typeof dotPath>[0]) => dotPath(type, mask, 30, 40, 10);
    const box = (corners: readonly [number, number, number, number]) => boxPath(30, 40, 10, 10, corners);
    t.equal(path('square'), box([0, 0, 0, 0]));
    t.equal(path('dots'), box([5, 5, 5, 5]));
    t.equal(path('rounded'), box(radii(0.5)));
    t.equal(path('extra-rounded'), box(radii(count === 2 ? 1 : 0.5)));
    t.equal(path('classy'), box(radii(0.5, LEAF)));
    t.equal(path('classy-rounded'), box(radii(count === 0 ? 0.5 : 1, LEAF)));
  }
});

t.test('a grid is drawn module by module, with adjacent square modules in a row joined', async () => {
  const type = fc.constantFrom(...namesOf(DOT_TYPES));
  fc.assert(
    fc.property(grid, type, fc.constantFrom(1, 3, 2.5), fc.constantFrom(0, 7, 0.5), (one, style, d, x) => {
      const boxes: string[] = [];
      const y = 2 * x;
      for (let row = 0; row < one.size; row += 1) {
        let run = 0;
        for (let column = 0; column <= one.size; column += 1) {
          const path = isDrawn(one, row, column)
            ? dotPath(style, neighboursAt(one, row, column), x + column * d, y + row * d, d)
            : '';
          const isWhole = path === boxPath(x + column * d, y + row * d, d, d);
          if (!isWhole && run > 0) boxes.push(boxPath(x + (column - run) * d, y + row * d, run * d, d));
          run = isWhole ? run + 1 : 0;
          if (!isWhole) boxes.push(path);
        }
      }
      return gridPath(one, style, x, y, d) === boxes.join('');
    }),
    { numRuns: 300 },
  );
});

t.test('a linear gradient runs through the centre from side to side in its direction', async () => {
  const side = fc.integer({ min: 10, max: 400 }).map((half) => 2 * half);
  const place = fc.integer({ min: -50, max: 200 });
  fc.assert(
    fc.property(
      place,
      place,
      side,
      side,
      fc.double({ min: -20, max: 20, noNaN: true }),
      (x, y, width, height, angle) => {
        const { x1, y1, x2, y2 } = linearEnds({ x, y, width, height }, angle);
        const [cx, cy] = [x + width / 2, y + height / 2];
        const [dx, dy] = [x2 - cx, y2 - cy];
        const isMirrored = Math.abs(x1 + x2 - 2 * cx) <= 1 && Math.abs(y1 + y2 - 2 * cy) <= 1;
        const isWithin = Math.abs(dx) <= width / 2 + 1 && Math.abs(dy) <= height / 2 + 1;
        const touches = Math.abs(Math.abs(dx) - width / 2) <= 1 || Math.abs(Math.abs(dy) - height / 2) <= 1;
        // In a square box the direction equals the angle.
        const isAlong = width !== height || Math.abs(dx * Math.sin(angle) - dy * Math.cos(angle)) <= 2;
        const isAhead = dx * Math.cos(angle) + dy * Math.sin(angle) > 0;
        return isMirrored && isWithin && touches && isAlong && (isAhead || width !== height);
      },
    ),
    { numRuns: 1000 },
  );
  fc.assert(
    fc.property(side, (width) => {
      const square = (angle: number) =>
        Object.values(linearEnds({ x: 0, y: 0, width, height: width }, angle)).join(' ');
      const half = width / 2;
      return (
        square(0) === `0 ${half} ${width} ${half}` &&
        square(Math.PI / 2) === `${half} 0 ${half} ${width}` &&
        square(Math.PI) === `${width} ${half} 0 ${half}` &&
        square(Math.PI / 4) === `0 0 ${width} ${width}`
      );
    }),
  );
});

t.test('a radial gradient reaches the farther sides, and hidden stops are removed', async (t) => {
  t.strictSame(radialCircle({ x: 10, y: 20, width: 40, height: 100 }), { cx: 30, cy: 70, r: 50 });
  t.strictSame(radialCircle({ x: 0, y: 0, width: 60, height: 10 }), { cx: 30, cy: 5, r: 30 });
  t.equal(formatRatio(0.123_45), '0.1235');
  t.equal(formatRatio(1), '1');
  const gradient = (offsets: readonly number[]) =>
    ({
      type: 'linear',
      rotationRad: 1,
      colorStops: offsets.map((offset, i) => ({ offset, color: `#00000${i}` })),
    }) as unknown as Gradient;
  t.equal(turnGradient(gradient([0, 1]), 0.5).rotationRad, 1.5);
  const left = (offsets: readonly number[]) =>
    visibleStops(gradient(offsets)).map(({ color }) => Number(color.slice(-1)));
  t.strictSame(left([0, 1]), [0, 1]);
  t.strictSame(left([0, 0.5, 0.5, 1]), [0, 1, 2, 3], 'two stops in one place make a sharp edge');
  t.strictSame(left([0, 0.5, 0.5, 0.5, 0.5, 1]), [0, 1, 4, 5]);
  t.strictSame(left([0, 0, 0, 1, 1, 1]), [0, 2, 3, 5]);
  t.strictSame(left([0.5, 0.500_01, 0.500_02]), [0, 2], 'equal to four decimals');
});

t.test('a logo covers odd numbers of modules that can be corrected, between the finders', async (t) => {
  const size = fc.double({ min: 0.05, max: 1, noNaN: true });
  const level = fc.constantFrom('L', 'M', 'Q', 'H');
  const side = fc.integer({ min: 1, max: 900 });
  let placed = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      level,
      size,
      side,
      side,
      fc.integer({ min: 0, max: 3 }),
      (version, of, share, widthPx, heightPx, marginPx) => {
        const moduleCount = 17 + 4 * version;
        const image = { size: share, marginPx, hideBackgroundDots: true } as Design['image'];
        const logo = placeLogo({ moduleCount, modulePx: 4, level: of }, image, { widthPx, heightPx });
        if (isFault(logo)) return true;
        placed += 1;
        const { box, covered } = logo;
        const budget = Math.floor(share * RESTORABLE[of] * moduleCount ** 2);
        const symbolPx = 4 * moduleCount;
        const [outerX, outerY] = [box.width + 2 * marginPx, box.height + 2 * marginPx];
        return (
          covered.columns % 2 === 1 &&
          covered.rows % 2 === 1 &&
          Math.max(covered.columns, covered.rows) <= moduleCount - 14 &&
          outerX <= 4 * covered.columns + 0.5 &&
          outerY <= 4 * covered.rows + 0.5 &&
          Math.abs(box.x + box.width / 2 - symbolPx / 2) < 1e-6 &&
          Math.abs(box.y + box.height / 2 - symbolPx / 2) < 1e-6 &&
          Math.min(box.width, box.height) > 0 &&
          Math.abs(outerX * heightPx - outerY * widthPx) <= 0.51 * Math.max(widthPx, heightPx) &&
          // A picture that is too long for the budget still covers at least one module per row.
          (budget * widthPx < heightPx || covered.columns * covered.rows <= budget)
        );
      },
    ),
    { numRuns: 1000 },
  );
  t.ok(placed > fewestOf(300), `${placed} placed`);
});
