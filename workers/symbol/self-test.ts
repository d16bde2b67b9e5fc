import type { QRCodeMaskPattern, QRCodeSegment } from 'qrcode';
import { create } from 'qrcode/lib/core/qrcode.js';
import { isFault, type SymbolRequest } from '../protocol.ts';
import { fitSymbol, type SymbolPlan } from './fit.ts';
import { shiftJisOf } from './kanji.ts';
import { createSymbol } from './symbol.ts';

/** Every mode and level, one and several segments, blocks of one and of two lengths, with and without version bits. */
const TABLE: readonly (readonly [text: string, request: Partial<SymbolRequest>])[] = [
  ['0123456789', { levels: ['L'] }],
  ['HTTPS://A.B', { levels: ['M'] }],
  ['ä?€', { levels: ['H'] }],
  ['漢字テスト01234567890123HTTPS://EXAMPLE.COM/ä?€', { levels: ['Q'], typeNumber: 7, segments: 'optimal' }],
];

/**
 * Draws a few texts with `qrcode` too, which shares no code with this folder, and compares the modules. Takes a few
 * milliseconds, so that each render thread can do it before its first picture.
 *
 * @param make Makes the symbols that are compared.
 * @throws When a symbol differs.
 */
export const checkSymbols = (make: typeof createSymbol = createSymbol): void => {
  for (const [text, part] of TABLE) {
    const plan = fitSymbol(text, { typeNumber: 0, mode: null, levels: ['Q'], ...part });
    if (isFault(plan)) throw new Error(`the symbol of ${JSON.stringify(text)} is refused: ${plan.message}`);
    const { modules, mask } = make(text, plan);
    const expected = drawnByLibrary(text, plan, mask as QRCodeMaskPattern);
    if (modules.length !== expected.length || modules.some((module, cell) => module !== expected[cell])) {
      throw new Error(
        `the symbol of ${JSON.stringify(text)} differs from that of qrcode: this build is broken`,
      );
    }
  }
};

/** Returns row-major modules, 1 is dark. */
const drawnByLibrary = (text: string, plan: SymbolPlan, maskPattern: QRCodeMaskPattern): Uint8Array => {
  const segments = plan.segments.map(({ mode, start, end }) => {
    const part = text.slice(start, end);
    return { mode: mode.toLowerCase(), data: mode === 'Byte' ? Buffer.from(part) : part };
  });
  const { modules } = create(segments as QRCodeSegment[], {
    version: plan.version,
    errorCorrectionLevel: plan.level,
    maskPattern,
    toSJISFunc: (character) => shiftJisOf(character.charCodeAt(0)),
  });
  return modules.data;
};
