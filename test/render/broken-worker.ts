/**
 * A render worker whose symbols have one wrong module. It checks them at its first task, because Piscina hides what a
 * TypeScript module throws when it is loaded.
 */
import type { RenderResult } from '../../workers/protocol.ts';
import { checkSymbols } from '../../workers/symbol/self-test.ts';
import { createSymbol } from '../../workers/symbol/symbol.ts';

export default (): RenderResult[] => {
  checkSymbols((text, plan) => {
    const symbol = createSymbol(text, plan);
    symbol.modules[symbol.modules.length - 1]! ^= 1;
    return symbol;
  });
  return [];
};
