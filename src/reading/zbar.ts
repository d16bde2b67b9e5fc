/**
 * ZBar as WebAssembly: it finds codes in another way than ZXing, and shares no code with it. Its license is the LGPL 2.1,
 * so it stays a package of its own, which anyone may replace by their own build.
 */
import {
  scanGrayBuffer,
  setModuleArgs,
  ZBarConfigType,
  ZBarScanner,
  ZBarSymbolType,
} from '@undecaf/zbar-wasm';
import type { Luma } from './luma.ts';

/** A scanner of QR codes alone. @param stepPx Only each so many rows and columns are looked through. */
const createScanner = async (stepPx: number): Promise<ZBarScanner> => {
  const scanner = await ZBarScanner.create();
  scanner.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_ENABLE, 0);
  scanner.setConfig(ZBarSymbolType.ZBAR_QRCODE, ZBarConfigType.ZBAR_CFG_ENABLE, 1);
  scanner.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_X_DENSITY, stepPx);
  scanner.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_Y_DENSITY, stepPx);
  return scanner;
};

/** Starts ZBar. @param wasmPath The file of the module. */
export const openZBar = async (wasmPath: string) => {
  setModuleArgs({ locateFile: () => wasmPath });
  // Every second row finds the same codes in half of the time, down to 3 pixels a module. What it does not find is looked for
  // in every row, as ZBar's own programs do.
  const scanners = [await createScanner(2), await createScanner(1)];
  /** Returns the text in a picture; `null`: no code is found. */
  return async ({ widthPx, heightPx, data }: Luma): Promise<string | null> => {
    for (const scanner of scanners) {
      const [found] = await scanGrayBuffer(data.buffer as ArrayBuffer, widthPx, heightPx, scanner);
      if (found !== undefined) return found.decode();
    }
    return null;
  };
};
