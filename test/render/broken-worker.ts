/** A render worker whose symbols have one wrong module. */
import { createRenderGroup } from '../../workers/render-worker.ts';
import { checkSymbols } from '../../workers/symbol/self-test.ts';
import { createSymbol } from '../../workers/symbol/symbol.ts';

export default createRenderGroup(() =>
  checkSymbols((text, plan) => {
    const symbol = createSymbol(text, plan);
    symbol.modules[symbol.modules.length - 1]! ^= 1;
    return symbol;
  }),
);
