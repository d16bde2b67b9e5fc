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

/** Lines through each module, at least. */
const LINES_A_MODULE = 2;
/** ZBar takes lines that are five pixels apart for those of different finders. */
const STEP_MAX_PX = 3;

const createScanner = async () => {
  const scanner = await ZBarScanner.create();
  scanner.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_ENABLE, 0);
  scanner.setConfig(ZBarSymbolType.ZBAR_QRCODE, ZBarConfigType.ZBAR_CFG_ENABLE, 1);
  return {
    scanner,
    /** @param px Only each so many rows and columns are looked through. */
    step(px: number): void {
      scanner.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_X_DENSITY, px);
      scanner.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_Y_DENSITY, px);
    },
  };
};

/** Starts ZBar. @param wasmPath The file of the module. */
export const openZBar = async (wasmPath: string) => {
  setModuleArgs({ locateFile: () => wasmPath });
  const { scanner, step } = await createScanner();
  /** Returns the text in a picture; `null`: no code is found. @param modulePx About the side of a module. */
  return async ({ widthPx, heightPx, data }: Luma, modulePx: number): Promise<string | null> => {
    const sparse = Math.min(STEP_MAX_PX, Math.max(1, Math.floor(modulePx / LINES_A_MODULE)));
    // What is not found is looked for in every row, as ZBar's own programs do.
    for (const px of sparse === 1 ? [1] : [sparse, 1]) {
      step(px);
      const [found] = await scanGrayBuffer(data.buffer as ArrayBuffer, widthPx, heightPx, scanner);
      if (found !== undefined) return found.decode();
    }
    return null;
  };
};
