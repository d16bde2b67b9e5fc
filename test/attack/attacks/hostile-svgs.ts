import { dataUri, svgUri } from '../../hostile/pictures.ts';
import { BOX, forbiddenContents, oddFiles, svgBombs } from '../../hostile/svgs.ts';
import type { Attack } from '../attack.ts';
import { sendLogos } from '../send-logos.ts';

export const hostileSvgs: Attack = {
  name: 'hostile-svgs',
  holds: 'SVG logos that could cost seconds or gigabytes are drawn or refused, and customers are served',
  needsAccount: true,
  async run(field) {
    const drawings = [...(await svgBombs()), ...(await forbiddenContents())];
    const files = oddFiles().map(([name, file]) => [name, dataUri('svg+xml', file)] as const);
    await sendLogos(field, [...drawings.map(([name, text]) => [name, svgUri(BOX, text)] as const), ...files]);
  },
};
