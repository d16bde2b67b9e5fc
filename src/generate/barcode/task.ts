/** Checks the GS1 data of a barcode, and makes the task that draws it. */
import type { BarcodeTask } from '../../../workers/barcode/protocol.ts';
import { type FileFormat, SYMBOLOGIES } from '../../../workers/lists.ts';
import type { Fault } from '../../../workers/protocol.ts';
import { checkGs1 } from '../../gs1/check.ts';
import { type Element, writeBrackets, writeReadable } from '../../gs1/element-string.ts';
import { tellFault } from '../../gs1/fault.ts';
import { ok, type Result, refused } from '../../result.ts';
import { drawnFormat } from '../file.ts';
import { findTillGtinFault } from '../request/gs1.ts';
import type { BarcodeQuery, BarcodeRequest } from './request.ts';

type Bars = Exclude<BarcodeRequest['symbology'], 'gs1-datamatrix'>;

const dataFault = (message: string): Result<never, Fault> => refused({ field: 'data', message });

/** A GTIN as people have it: without its AI, and perhaps with fewer digits than the 14 of AI 01. */
const BARE_GTIN = /^(?:\d{8}|\d{12,14})$/;
const withAi = (gtin: string): string => `(01)${gtin.padStart(14, '0')}`;

const readElements = (data: string): Result<readonly Element[], Fault> => {
  const checked = checkGs1(data);
  return checked.ok ? ok(checked.value.elements) : dataFault(checked.fault.map(tellFault).join('; '));
};

/** As `readElements`, of the digits alone: positions in faults are those of the digits. */
const readBareGtin = (gtin: string): Result<readonly Element[], Fault> => {
  const written = withAi(gtin);
  const checked = checkGs1(written);
  if (checked.ok) return ok(checked.value.elements);
  const added = written.length - gtin.length;
  const told = checked.fault.map((fault) =>
    tellFault({ ...fault, ai: null, position: fault.position - added }),
  );
  return dataFault(told.join('; '));
};

/** How many zeros a GTIN of 14 digits has in front when it is one of 13, 12 or 8. */
const KINDS = [
  { zeros: '000000', name: 'GTIN-8' },
  { zeros: '00', name: 'GTIN-12' },
  { zeros: '0', name: 'GTIN-13' },
  { zeros: '', name: 'GTIN-14' },
] as const;

/** The GTINs that bars hold. */
const TAKEN: Readonly<Record<Bars, readonly string[]>> = {
  'ean-13': ['GTIN-13', 'GTIN-12'],
  'upc-a': ['GTIN-12'],
};

/** Returns the 13 digits that bars encode. */
const readGtin = (data: string, symbology: Bars): Result<string, Fault> => {
  const read = BARE_GTIN.test(data) ? readBareGtin(data) : readElements(data);
  if (!read.ok) return read;
  const { name } = SYMBOLOGIES[symbology];
  const [element, ...others] = read.value;
  if (element!.ai !== '01' || others.length > 0) {
    const ais = read.value.map(({ ai }) => `(${ai})`).join(' ');
    return dataFault(`has ${ais}, and ${name} holds a GTIN, AI (01), alone; gs1-datamatrix holds them all`);
  }
  const gtin = element!.value;
  const kind = KINDS.find(({ zeros }) => gtin.startsWith(zeros))!;
  if (TAKEN[symbology].includes(kind.name)) return ok(gtin.slice(1));
  return dataFault(
    `has the ${kind.name} ${gtin.slice(kind.zeros.length)}, and ${name} holds a ${TAKEN[symbology].join(' or ')}; gs1-datamatrix holds every GTIN`,
  );
};

/** Returns the task of a barcode, or why its data is refused. Sizes are checked when it is drawn. */
export const toBarcodeTask = (
  { symbology, data }: BarcodeRequest,
  query: BarcodeQuery,
  written: FileFormat,
): Result<BarcodeTask, Fault> => {
  const { module_mm: moduleMm, width_mm: widthMm, dpi, quiet_zone: quietZone } = query;
  if (moduleMm !== undefined && widthMm !== undefined) {
    return refused({ field: 'width_mm', message: 'must not be sent together with module_mm' });
  }
  const size = {
    ...(moduleMm !== undefined && { moduleMm }),
    ...(widthMm !== undefined && { widthMm }),
    ...(dpi !== undefined && { dpi }),
    ...(quietZone !== undefined && { quietZone }),
    ...(query.round === 'down' && { round: 'down' as const }),
    ...(query.till && { till: true as const }),
  };
  const task = { symbology, size, format: drawnFormat(written) };
  const hasText = query.text === 'gs1';
  if (symbology !== 'gs1-datamatrix') {
    const digits = readGtin(data, symbology);
    return digits.ok
      ? ok({ ...task, text: digits.value, ...(hasText && { below: [digits.value] }) })
      : digits;
  }
  // The digits of some are elements too: 9521321000018 would be the AI 95.
  if (BARE_GTIN.test(data)) return dataFault(`is a number without an AI: write a GTIN as "${withAi(data)}"`);
  const read = readElements(data);
  if (!read.ok) return read;
  const fault = query.till ? findTillGtinFault(read.value) : null;
  if (fault !== null) return refused(fault);
  return ok({
    ...task,
    text: writeBrackets(read.value),
    ...(hasText && { below: writeReadable(read.value) }),
  });
};
