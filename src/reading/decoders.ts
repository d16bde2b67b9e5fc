/**
 * The two readers of codes, both as WebAssembly. ZXing-C++ is the one of many phone apps; its license is Apache 2.0. ZBar
 * finds codes differently and shares no code with it; its license is the LGPL 2.1, so it stays a package of its own,
 * which anyone may replace by their own build.
 */

import {
  scanGrayBuffer,
  setModuleArgs,
  ZBarConfigType,
  ZBarScanner,
  ZBarSymbolType,
} from '@undecaf/zbar-wasm';
import { prepareZXingModule, type ReaderOptions, type ReadResult, readBarcodes } from 'zxing-wasm/reader';
import type { Luma } from './png.ts';

/** What ZXing finds in a picture. */
export interface ZXingFind {
  readonly text: string;
  /** Side of a module in pixels. */
  readonly modulePx: number;
}

/** A place in a picture: pixels from its left and from its top. */
export type Point = readonly [xPx: number, yPx: number];

/** The corners of a symbol, clockwise from the one that is its top left, however it lies. */
export type Corners = readonly [Point, Point, Point, Point];

/** A symbol that ZXing finds among others. */
export interface ZXingSymbol {
  readonly corners: Corners;
  /** `null`: it has the finder patterns of a symbol, and cannot be decoded. */
  readonly text: string | null;
  /** Whether it has FNC1 in first position, as GS1 element strings have. */
  readonly isGs1: boolean;
}

const OPTIONS: ReaderOptions = {
  formats: ['QRCode'],
  maxNumberOfSymbols: 1,
  // Otherwise control characters become their names.
  textMode: 'Plain',
};
const ALL: ReaderOptions = { ...OPTIONS, maxNumberOfSymbols: 255, returnErrors: true };
/** What ISO/IEC 15424 calls QR codes with FNC1 in first position. */
const GS1_IDENTIFIERS: readonly string[] = [']Q3', ']Q4'];

const encoder = new TextEncoder();

const moduleOf = ({ position, extra }: ReadResult): number => {
  const { topLeft, topRight } = position;
  const sidePx = Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y) + 1;
  // ISO/IEC 18004, 6.1: version 1 has 21 modules a side, and each further one has 4 more.
  return sidePx / (17 + 4 * Number(JSON.parse(extra).Version));
};

const toSymbol = ({ position, isValid, text, symbologyIdentifier }: ReadResult): ZXingSymbol => {
  const { topLeft, topRight, bottomRight, bottomLeft } = position;
  return {
    corners: [
      [topLeft.x, topLeft.y],
      [topRight.x, topRight.y],
      [bottomRight.x, bottomRight.y],
      [bottomLeft.x, bottomLeft.y],
    ],
    text: isValid ? text : null,
    isGs1: GS1_IDENTIFIERS.includes(symbologyIdentifier),
  };
};

/** Whether it lies somewhere: of finder patterns that are of no symbol all corners are the same. */
const hasPlace = ({ position: { topLeft, bottomRight } }: ReadResult): boolean =>
  topLeft.x !== bottomRight.x || topLeft.y !== bottomRight.y;

/** Writes a picture as a file of grey pixels, which takes a quarter of the memory and three quarters of the time of RGBA. */
const toPgm = ({ widthPx, heightPx, data }: Luma): Uint8Array<ArrayBuffer> => {
  const header = encoder.encode(`P5 ${widthPx} ${heightPx} 255\n`);
  const pgm = new Uint8Array(header.length + data.length);
  pgm.set(header);
  pgm.set(data, header.length);
  return pgm;
};

/** Starts ZXing. @param wasmBinary The module; without it, the package would fetch it from the network. */
export const openZXing = async (wasmBinary: ArrayBuffer) => {
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return {
    /** Returns what is in a picture; `null`: no code is found. */
    async find(luma: Luma): Promise<ZXingFind | null> {
      const [found] = await readBarcodes(toPgm(luma), OPTIONS);
      return found === undefined ? null : { text: found.text, modulePx: moduleOf(found) };
    },
    /** Returns the symbols in a picture, those that it cannot decode too. Of many it may miss some. */
    findAll: async (luma: Luma): Promise<readonly ZXingSymbol[]> =>
      (await readBarcodes(toPgm(luma), ALL)).filter(hasPlace).map(toSymbol),
  };
};

/** A scanner of QR codes alone. @param stepPx Looks through every `stepPx`-th row and column. */
const createScanner = async (stepPx: number): Promise<ZBarScanner> => {
  const scanner = await ZBarScanner.create();
  scanner.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_ENABLE, 0);
  scanner.setConfig(ZBarSymbolType.ZBAR_QRCODE, ZBarConfigType.ZBAR_CFG_ENABLE, 1);
  scanner.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_X_DENSITY, stepPx);
  scanner.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_Y_DENSITY, stepPx);
  return scanner;
};

/** Rows in a module that ZBar looks through at first; with less than this it crosses a finder pattern too seldom. */
const STEPS_A_MODULE = 1.75;
const MAX_STEP_PX = 16;

/** Starts ZBar. @param wasmPath The file of the module. */
export const openZBar = async (wasmPath: string) => {
  setModuleArgs({ locateFile: () => wasmPath });
  const scanners = new Map<number, ZBarScanner>();
  const scannerOf = async (stepPx: number): Promise<ZBarScanner> => {
    const scanner = scanners.get(stepPx) ?? (await createScanner(stepPx));
    scanners.set(stepPx, scanner);
    return scanner;
  };
  /**
   * Returns the text in a picture; `null`: no code is found. It looks through some rows first, and then, as ZBar's own
   * programs do, through each.
   *
   * @param modulePx Side of a module, where it is known: it decides how many rows may be skipped at first.
   */
  return async ({ widthPx, heightPx, data }: Luma, modulePx = 0): Promise<string | null> => {
    const stepPx = Math.min(MAX_STEP_PX, Math.max(2, Math.floor(modulePx / STEPS_A_MODULE)));
    for (const step of [stepPx, 1]) {
      const scanner = await scannerOf(step);
      const [found] = await scanGrayBuffer(data.buffer as ArrayBuffer, widthPx, heightPx, scanner);
      if (found !== undefined) return found.decode();
    }
    return null;
  };
};
