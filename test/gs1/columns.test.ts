import fc from 'fast-check';
import t from 'tap';
import { checkGs1 } from '../../src/gs1/check.ts';
import { checkDigitOf } from '../../src/gs1/check-digits.ts';
import { aiOfColumn, GS1_COLUMNS, readColumnValue } from '../../src/gs1/columns.ts';
import { composeGs1 } from '../../src/gs1/compose.ts';
import { CANONICAL_STEM } from '../../src/gs1/digital-link.ts';

const read = (column: string, cell: string) => {
  const value = readColumnValue(aiOfColumn(column)!, cell);
  return value.ok ? value.value : `refused: ${value.fault}`;
};

t.test('a column denotes an AI by its name or by digits in brackets', async (t) => {
  for (const [name, ai] of Object.entries(GS1_COLUMNS)) {
    t.equal(aiOfColumn(name), ai);
    t.equal(aiOfColumn(`(${ai})`), ai);
  }
  for (const other of ['(9999)', '01', 'price', 'constructor', '(01']) t.equal(aiOfColumn(other), undefined);
});

/** A GTIN of 14 digits with leading zeros, and the number that a spreadsheet makes of it. */
const eaten = fc
  .tuple(fc.integer({ min: 3, max: 14 }), fc.bigInt({ min: 1n, max: 9_999_999_999_999n }))
  .map(([length, digits]) => {
    const body = String(digits)
      .slice(0, length - 1)
      .padStart(13, '0');
    const gtin = body + checkDigitOf(`${body}0`);
    return { gtin, number: gtin.replace(/^0+/, '') };
  });

t.test('a GTIN that became a number is padded or refused, and never another GTIN', async (t) => {
  fc.assert(
    fc.property(eaten, ({ gtin, number }) => {
      const value = read('gtin', number);
      if ([8, 12, 13, 14].includes(number.length)) return t.equal(value, gtin);
      const [, advised] = /write (\d+), and give/.exec(value) ?? [];
      t.match(value, /^refused: has \d+ digits: a spreadsheet has probably removed leading zeros; write \d+/);
      return t.equal(read('gtin', advised ?? ''), gtin, 'the advice is the same GTIN');
    }),
  );
});

t.test('a value that a spreadsheet damaged is refused with advice on how to fix it', async (t) => {
  const told = {
    gtin: [
      [
        '9.52E+12',
        'refused: 9.52E+12 is a number that a spreadsheet has shortened, and its digits are lost; give the column the format "Text", and write all digits',
      ],
      [
        '9521321000018.0',
        'refused: a spreadsheet has turned it into the decimal number 9521321000018.0; write 9521321000018, and give the column the format "Text"',
      ],
      [
        '9521321001',
        'refused: has 10 digits: a spreadsheet has probably removed leading zeros, but 009521321001 would be wrong, too; compare it with the source',
      ],
      [' 9521321000018 ', '09521321000018'],
      ['9521321000017', 'refused: the check digit must be 8, not 7; compare all digits with the source'],
      ['123456789012345', 'refused: has 15 characters, but GTIN needs 14'],
    ],
    expiry: [
      ['2027-02-28', '270228'],
      ['270200', '270200'],
      ['31/12/2027', 'refused: is not a date: write it as 271231 or 2027-12-31'],
      ['2027-02-30', 'refused: day 30 does not exist in that month: write YYMMDD'],
      ['1999-02-01', 'refused: a year is 2000 to 2074 here, because GS1 writes two digits of it'],
      [
        '50101',
        'refused: has 5 digits: a spreadsheet has probably removed leading zeros; write 050101, and give the column the format "Text"',
      ],
    ],
    '(3103)': [
      [
        '195',
        'refused: has 3 digits: a spreadsheet has probably removed leading zeros; write 000195, and give the column the format "Text"',
      ],
      ['000195', '000195'],
    ],
    serial: [
      [
        '1.5E+11',
        'refused: 1.5E+11 is a number that a spreadsheet has shortened, and its digits are lost; give the column the format "Text", and write all digits',
      ],
      ['007', '007'],
      ['a b', 'refused: a space is not allowed: only the 82 characters of GS1 are allowed'],
    ],
  } as const;
  for (const [column, cells] of Object.entries(told))
    for (const [cell, expected] of cells) t.equal(read(column, cell), expected, `${column} ${cell}`);
});

t.test('composed data is valid and contains the values, in both forms', async (t) => {
  const text82 = fc.string({ unit: fc.constantFrom(...'aZ09%/+?&=().!"\'*-_'), minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(text82, text82, fc.constantFrom('digital-link', 'element-string'), (serial, lot, form) => {
      const values = new Map([
        ...[['21', serial] as const, ['17', '271231'] as const, ['10', lot] as const],
        ['01', '09521321000018'] as const,
      ]);
      const composed = composeGs1(values, form, CANONICAL_STEM);
      if (!composed.ok) throw new Error(composed.fault);
      const checked = checkGs1(composed.value);
      if (!checked.ok) throw new Error(JSON.stringify(checked.fault));
      const found = new Map(checked.value.elements.map(({ ai, value }) => [ai, value]));
      t.strictSame([...found].sort(), [...values].sort());
    }),
  );
});

t.test('values that must not be combined are refused', async (t) => {
  const fault = (values: readonly (readonly [string, string])[], form: 'digital-link' | 'element-string') => {
    const composed = composeGs1(new Map(values), form, CANONICAL_STEM);
    return composed.ok ? composed.value : composed.fault;
  };
  t.equal(fault([['21', '1']], 'element-string'), 'AI (21): needs another AI: add (01), or (03), or (8006)');
  t.match(
    fault(
      [
        ['01', '09521321000018'],
        ['37', '5'],
      ],
      'digital-link',
    ),
    /^AI \(01\): must not be used together with \(37\)/,
  );
  t.match(
    fault(
      [
        ['8006', '095213210000180102'],
        ['21', '1'],
        ['242', '5'],
        ['01', '09521321000018'],
      ],
      'element-string',
    ),
    /\(01\)/,
  );
});
