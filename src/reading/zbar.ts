/**
 * ZBar as WebAssembly: it finds codes differently from ZXing, and shares no code with it. Its license is the LGPL
 * 2.1, so it stays a package of its own, which anyone may replace by their own build.
 */
import {
  scanGrayBuffer,
  setModuleArgs,
  ZBarConfigType,
  ZBarScanner,
  ZBarSymbolType,
} from '@undecaf/zbar-wasm';
import type { Luma } from './luma.ts';

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
