/** Hostile SVG logos. */
import { gzipSync } from 'node:zlib';
import { blackPng, dataUri, pngChunk, svg } from './pictures.ts';

export const BOX = 'viewBox="0 0 100 100"';
export const RECT = '<rect width="100" height="100" fill="#00f"/>';

/** Joins the results of `write` for each number below `count`. */
export const repeat = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => write(i)).join('');

/** Returns `levels` groups, each of `width` uses of the group before. */
export const uses = (levels: number, width: number): string =>
  `<g id="u0"><rect width="9" height="9"/></g>${repeat(levels, (i) => `<g id="u${i + 1}">${`<use href="#u${i}"/>`.repeat(width)}</g>`)}`;

/** Returns a rectangle with a filter of these primitives. */
export const filtered = (primitives: string, attributes = ''): string =>
  `<filter id="f" ${attributes}>${primitives}</filter><rect width="100" height="100" fill="#0f0" filter="url(#f)"/>`;

/** Returns names and contents of SVGs of 100 x 100 that would cost a renderer without bounds seconds or gigabytes. */
export const svgBombs = (): [string, string][] => {
  const bigPng = blackPng(10_000, 10_000, { bitDepth: 1, colorType: 0 });
  const hugePng = blackPng(30_000, 30_000, { bitDepth: 1, colorType: 0 });
  const widePng = blackPng(4096, 4096, { bitDepth: 16, colorType: 6 });
  const vertices = repeat(60_000, (i) => `L${i % 100} ${(i * 7) % 100}`);
  return [
    ['feMorphology', filtered('<feMorphology operator="dilate" radius="40"/>'.repeat(20))],
    ['300 blurs', filtered('<feGaussianBlur stdDeviation="9"/>'.repeat(300))],
    ['feTurbulence', filtered('<feTurbulence baseFrequency="0.9" numOctaves="1000"/>')],
    ['feConvolveMatrix', filtered(`<feConvolveMatrix order="50" kernelMatrix="${'1 '.repeat(2500)}"/>`)],
    [
      'feDisplacementMap',
      filtered(
        '<feTurbulence numOctaves="99"/><feDisplacementMap in2="SourceGraphic" scale="99"/>'.repeat(50),
      ),
    ],
    [
      'huge filter region',
      filtered('<feFlood/>', 'filterUnits="userSpaceOnUse" x="-1e7" y="-1e7" width="2e7" height="2e7"'),
    ],
    ['blur by function', `<g style="filter:${'blur(9px) '.repeat(300)}">${RECT}</g>`],
    [
      'feImage of itself',
      `<filter id="f"><feImage href="#r"/></filter><rect id="r" width="99" height="99" filter="url(#f)"/>`,
    ],
    ['use 10^5', uses(5, 10)],
    ['use 10^8', uses(8, 10)],
    ['use 2^60', uses(60, 2)],
    ['use of itself', '<g id="a"><use href="#a"/></g><use href="#a"/>'],
    [
      'masks in masks',
      `<mask id="m0"><rect width="99" height="99" fill="#fff"/></mask>${repeat(200, (i) => `<mask id="m${i + 1}" mask="url(#m${i})"><rect width="99" height="99" fill="#fff" mask="url(#m${i})"/></mask>`)}<rect width="99" height="99" mask="url(#m200)"/>`,
    ],
    [
      'clips in clips',
      `${repeat(200, (i) => `<clipPath id="c${i + 1}" clip-path="url(#c${i})"><rect width="99" height="99" clip-path="url(#c${i})"/></clipPath>`)}<rect width="99" height="99" clip-path="url(#c200)"/>`,
    ],
    [
      'patterns in patterns',
      `${repeat(50, (i) => `<pattern id="p${i + 1}" width=".1" height=".1"><rect width="99" height="99" fill="url(#p${i})"/><rect width="50" height="50" fill="url(#p${i})"/></pattern>`)}<rect width="99" height="99" fill="url(#p50)"/>`,
    ],
    [
      'gradients in a cycle',
      '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/><rect width="9" height="9" fill="url(#a)"/>',
    ],
    ['layers', `${'<g opacity=".99">'.repeat(95)}${RECT}${'</g>'.repeat(95)}`],
    ['dashes', '<path d="M0 0H100" stroke="red" stroke-dasharray="1e-6"/>'],
    [
      'dashes on a long path',
      '<path d="M0 0H100000" stroke="red" stroke-dasharray="1e-3 1e-3"/>'.repeat(100),
    ],
    [
      'wide strokes',
      `<path d="M0 0${vertices}" fill="none" stroke="red" stroke-width="50" stroke-linejoin="round"/>`,
    ],
    [
      'markers',
      `<marker id="k" overflow="visible"><circle r="50"/><circle r="40"/></marker><path d="M0 0${vertices}" marker-mid="url(#k)"/>`,
    ],
    ['curves', `<path fill="red" d="M0 0${repeat(30_000, (i) => `C${i} 99 99 ${i} ${i % 90} ${i % 70}`)}"/>`],
    ['arcs', `<path fill="red" d="M0 0${repeat(30_000, (i) => `A1e6 1e6 0 0 1 ${i % 90} ${i % 70}`)}"/>`],
    [
      'huge numbers',
      '<path d="M-1e38 -1e38L1e38 1e38L3e38 0z"/><circle r="1e30"/><rect width="1e38" height="1e38" rx="1e38"/>',
    ],
    [
      'huge transforms',
      '<g transform="scale(1e30)"><g transform="scale(1e30) rotate(1e30)"><rect width="9" height="9"/></g></g>',
    ],
    [
      'style sheet of 4,000 rules',
      `<style>${repeat(4000, (i) => `g g > rect.a${i}:first-child{fill:red}`)}</style>${repeat(2000, (i) => `<g><rect class="a${i}"/></g>`)}`,
    ],
    ['style text of a megabyte', `<style>${'a{b:c}'.repeat(170_000)}</style>${RECT}`],
    ['open url() a hundred thousand times', `<rect fill="${'url('.repeat(100_000)}"/>`],
    ['spaces in url()', `<rect fill="url(${' '.repeat(1_000_000)}#a)"/>`],
    ['attributes', `<rect ${repeat(100_000, (i) => `a${i}="1" `)}/>`],
    ['5,001 elements', '<g/>'.repeat(5001)],
    ['5,000 deep', `${'<g>'.repeat(5000)}${'</g>'.repeat(5000)}`],
    [
      'nested svg',
      `${'<svg width="1e9" height="1e9" viewBox="0 0 1e-9 1e-9">'.repeat(80)}${RECT}${'</svg>'.repeat(80)}`,
    ],
    ['PNG of 10,000 squared inside', `<image width="100" height="100" href="${dataUri('png', bigPng)}"/>`],
    ['PNG of 30,000 squared inside', `<image width="100" height="100" href="${dataUri('png', hugePng)}"/>`],
    [
      'PNG of 4,096 squared inside, 40 times',
      `<image id="i" width="100" height="100" href="${dataUri('png', widePng)}"/>${'<use href="#i"/>'.repeat(40)}`,
    ],
    [
      'PNG header of 2^31',
      `<image width="9" height="9" href="${dataUri('png', Buffer.concat([bigPng.subarray(0, 8), pngChunk('IHDR', Buffer.from([0x7f, 255, 255, 255, 0x7f, 255, 255, 255, 16, 6, 0, 0, 0]))]))}"/>`,
    ],
  ];
};

/** Returns names and contents that logos must not have: scripts, animation, text, and XML that is not well-formed. */
export const forbiddenContents = (): [string, string][] => [
  ['script', '<script>alert(1)</script>'],
  ['script by href', '<script href="http://example.com/a.js"/>'],
  [
    'foreignObject',
    '<foreignObject width="9" height="9"><p xmlns="http://www.w3.org/1999/xhtml">a</p></foreignObject>',
  ],
  ['iframe', '<iframe src="http://example.com/"/>'],
  ['animate', '<rect><animate attributeName="x" dur="1s"/></rect>'],
  ['set', '<rect><set attributeName="href" to="/etc/passwd"/></rect>'],
  ['text', '<text x="1" y="20">hello</text>'],
  ['event handler', '<rect width="9" height="9" onload="alert(1)"/>'],
  ['event handler, odd case', '<rect width="9" height="9" ONCLICK="alert(1)"/>'],
  ['escape in a style', '<rect style="fill:u\\72l(/etc/passwd)"/>'],
  ['unclosed url', '<rect fill="url(#a"/>'],
  ['unclosed elements', '<g><g>'],
  ['unknown entity', '<rect id="&nope;"/>'],
  ['NUL', '<rect id="&#0;"/>'],
  ['duplicate attribute', '<rect x="1" x="2"/>'],
  ['picture in a use element', `<use href="${dataUri('png', blackPng(2, 2))}"/>`],
];

/** Returns names, whole files, and the stage that refuses each; a few are `ok`. */
export const oddFiles = (): [name: string, file: string | Buffer, stage: 'svg' | 'type' | 'ok'][] => {
  const flat = `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(100_000)}">]>${svg(BOX, '&a;'.repeat(5000))}`;
  const laughs = `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(10)}"><!ENTITY c "${'&b;'.repeat(10)}">]>${svg(BOX, '&c;')}`;
  const external = `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg(BOX, '<title>&x;</title>')}`;
  const illustrator = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
    <!ENTITY ns_svg "http://www.w3.org/2000/svg">]><svg xmlns="&ns_svg;" ${BOX}>${RECT}</svg>`;
  const publicDtd =
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
  const plain = svg(BOX, RECT);
  const utf16 = Buffer.from(`\ufeff${plain}`, 'utf16le');
  return [
    ['flat entities', flat, 'svg'],
    ['nested entities', laughs, 'svg'],
    ['external entity', external, 'svg'],
    ['entity of Illustrator', illustrator, 'svg'],
    [
      'external subset and entity',
      `<!DOCTYPE svg SYSTEM "a[" [<!ENTITY % d SYSTEM "http://127.0.0.1:9/">%d;]>${plain}`,
      'svg',
    ],
    ['entity that nothing declares', `${publicDtd}${svg(BOX, '<title>&ns_svg;</title>')}`, 'svg'],
    ['second document type', `${publicDtd}${publicDtd}${plain}`, 'type'],
    ['document type inside', svg(BOX, '<!DOCTYPE svg>'), 'svg'],
    ['document type that never ends', '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN', 'type'],
    ['lower case', `<!doctype svg>${plain}`, 'type'],
    ['public DTD', `${publicDtd}${plain}`, 'ok'],
    ['system DTD', `<?xml version="1.0"?><!DOCTYPE svg SYSTEM 'http://127.0.0.1:9/[x].dtd'>${plain}`, 'ok'],
    ['document type alone', `<!DOCTYPE svg>${plain}`, 'ok'],
    ['document type in a comment', `<!-- <!DOCTYPE svg [<!ENTITY a "b">]> -->${plain}`, 'ok'],
    ['svgz', gzipSync(plain), 'type'],
    // The members of a gzip file are decompressed one after another (RFC 1952, 2.2).
    ['svgz of 200 MB', Buffer.concat(Array(200).fill(gzipSync(Buffer.alloc(1_000_000, ' ')))), 'type'],
    ['UTF-16', utf16, 'svg'],
    ['UTF-16, other byte order', Buffer.from(utf16).swap16(), 'svg'],
    ['declared ISO-8859-1', `<?xml version="1.0" encoding="ISO-8859-1"?>${plain}`, 'svg'],
    ['not UTF-8', Buffer.from(plain.replace('<rect', '<rect id="\xff"'), 'latin1'), 'svg'],
    ['html', '<!DOCTYPE html><html><body>not found</body></html>', 'type'],
    ['html without a type', '<html><body>not found</body></html>', 'type'],
    ['no namespace', `<svg ${BOX}>${RECT}</svg>`, 'type'],
    ['nothing', '<', 'type'],
    ['svg second', '<a/><svg xmlns="http://www.w3.org/2000/svg"/>', 'type'],
    ['UTF-8 with a byte order mark and space', `\ufeff  \n${plain}`, 'ok'],
    ['UTF-8 with a byte order mark', `\ufeff${plain}`, 'ok'],
    ['declared utf-8', `<?xml version="1.0" encoding="utf-8"?>\n<!-- made -->\n${plain}`, 'ok'],
  ];
};
