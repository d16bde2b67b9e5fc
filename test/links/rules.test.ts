import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { createScanClassifier, type ScanTraits } from '../../src/links/classify.ts';
import { checkDestination as check, isRedirectable } from '../../src/links/destination.ts';
import { LINK_PLACEHOLDERS } from '../../src/links/forward.ts';
import { createVisitorHash, networkOf, noteScan, type VisitorTraits } from '../../src/links/scan.ts';
import { checkOwnSlug, createSlug, isSlug, skeletonOf, slugOf } from '../../src/links/slug.ts';

const PUBLIC_URL = 'https://qr.example.com';
const checkDestination = (written: string, publicUrl: string) => check(written, publicUrl, LINK_PLACEHOLDERS);

t.test('a destination is an absolute http or https URL, and is normalised', async (t) => {
  const spellings: Record<string, string> = {
    'https://example.com': 'https://example.com/',
    'HTTP://Example.COM:80/a?b#c': 'http://example.com/a?b#c',
    'https://münchen.de/é?ü=ß': 'https://xn--mnchen-3ya.de/%C3%A9?%C3%BC=%C3%9F',
    'https://example.com/a b': 'https://example.com/a%20b',
    'https://example.com/javascript:alert(1)': 'https://example.com/javascript:alert(1)',
    'https://good.example\\@evil.example/': 'https://good.example/@evil.example/',
  };
  for (const [written, href] of Object.entries(spellings)) {
    t.strictSame(checkDestination(written, PUBLIC_URL), { ok: true, value: href }, written);
  }
});

t.test(
  'a destination is cut at both ends as a URL parser does, and of what pasting leaves unseen',
  async (t) => {
    const pasted = JSON.parse(readFileSync(new URL('pasted-destinations.json', import.meta.url), 'utf8'));
    const kept = ['https://example.com/lead', 'https://example.com/trail'];
    t.strictSame(
      pasted.map((written: string) => checkDestination(written, PUBLIC_URL)),
      [...kept, 'https://example.com/nbsp', 'https://example.com/bom'].map((value) => ({ ok: true, value })),
    );
    const unseen = [
      '\0',
      '\t',
      '\r\n',
      '\x1f',
      ' ',
      '\xa0',
      '\xad',
      '\u200b',
      '\u200e',
      '\u202c',
      '\u2060',
      '\u2069',
    ];
    const around = fc.string({
      unit: fc.constantFrom(...unseen, '\u2028', '\u3000', '\ufeff'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(around, around, (before, after) => {
        const checked = checkDestination(`${before}https://example.com/a${after}`, PUBLIC_URL);
        return checked.ok && checked.value === 'https://example.com/a';
      }),
    );
    const joined = checkDestination('https://example.com/\u0646\u200c', PUBLIC_URL);
    t.match(joined, { value: 'https://example.com/%D9%86%E2%80%8C' }, 'a joiner belongs to its word');
    t.match(checkDestination('https://example.com/a\u00a0b', PUBLIC_URL), {
      value: 'https://example.com/a%C2%A0b',
    });
    t.match(checkDestination(' \u200b ', PUBLIC_URL), { ok: false, fault: /absolute/ });
  },
);

t.test('a destination that could mislead or break a client is refused', async (t) => {
  const refused = [
    '',
    'example.com',
    '/path',
    '//evil.example',
    '\\\\evil.example',
    'http:example.com',
    'http:/example.com',
    'http:///example.com',
    'https:\\\\example.com',
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.com',
    'mailto:a@example.com',
    'https://user@example.com',
    'https://user:secret@example.com',
    'https://example.com\r\nSet-Cookie: a=b',
    'https://exa\nmple.com',
    'https://example.com/\u0000x',
    'https://example.com/\tx',
    'https://example.com/\u0085',
    'https://example.com/\ud800',
    'https://',
    'https://?',
    'https://exa mple.com',
    'https://example.com:99999',
    'https://[::1',
  ];
  for (const written of refused) {
    const checked = checkDestination(written, PUBLIC_URL);
    t.notOk(checked.ok, JSON.stringify(written));
    t.match(checked, { fault: /^must / });
  }
});

t.test('a destination may not be one of our own short links, however it is spelled', async (t) => {
  for (const written of [
    'https://qr.example.com/l/abcdefgh',
    'http://qr.example.com/l/abcdefgh',
    'https://QR.example.com./l/abcdefgh',
    'https://qr.example.com:443/l/abcdefgh',
    'https://qr.example.com/%6C/abcdefgh',
    'https://qr.example.com/l%2Fabcdefgh',
    'https://qr.example.com/x/../l/abcdefgh',
  ]) {
    t.match(checkDestination(written, PUBLIC_URL), { ok: false, fault: /own short links/ }, written);
  }
  const own: Record<string, readonly string[]> = {
    [PUBLIC_URL]: [
      'https://qr.example.com.../l/abcdefgh',
      'https://qr.example.com:80/l/abcdefgh',
      'http://qr.example.com:443/l/abcdefgh',
      'https://qr%2eexample.com/l/abcdefgh',
      'https://ｑｒ。example.com/l/abcdefgh',
      'https://qr.exam\u00adple.com/l/abcdefgh',
      'https://qr.example.com//l/abcdefgh',
      'https://qr.example.com/l//abcdefgh',
      'https://qr.example.com/./l/abcdefgh',
      'https://qr.example.com/%2e/l/abcdefgh',
      'https://qr.example.com/%256c/abcdefgh',
      'https://qr.example.com/%25256C%252fabcdefgh',
      'https://qr.example.com/x%2f..%2fl/abcdefgh',
      'https://qr.example.com\\l\\abcdefgh',
      'https://qr.example.com/%5cl%5Cabcdefgh',
      'https://qr.example.com/%6c/abcdefgh%E0%A4%A',
      'https://qr.example.com/l/abcdefgh?a#b',
    ],
    'http://127.0.0.1:3000': [
      'http://127.0.0.1:3000/l/x',
      'https://127.0.0.1:3000/l/x',
      'http://localhost:3000/l/x',
      'http://LOCALHOST.:3000/l/x',
      'http://qr.localhost:3000/l/x',
      'http://127.1:3000/l/x',
      'http://127.0.0.2:3000/l/x',
      'http://2130706433:3000/l/x',
      'http://0x7f.1:3000/l/x',
      'http://0177.0.0.1:3000/l/x',
      'http://0.0.0.0:3000/l/x',
      'http://[::1]:3000/l/x',
      'http://[::]:3000/l/x',
      'http://[0:0:0:0:0:ffff:7f00:1]:3000/l/x',
    ],
    'http://[2001:db8::1]:8080': ['http://[2001:0DB8:0:0::0001]:8080/l/x'],
    'http://192.0.2.7': ['http://[::ffff:192.0.2.7]/l/x', 'http://0xc0000207/l/x', 'https://192.0.2.7/l/x'],
    'https://münchen.de': [
      'https://xn--mnchen-3ya.de/l/x',
      'https://MÜNCHEN.de/l/x',
      'https://mu\u0308nchen.de/l/x',
    ],
    'https://xn--mnchen-3ya.de': ['https://münchen.de/l/x'],
    'https://example.com/qr': [
      'https://example.com/qr/l/x',
      'https://example.com//qr//l/x',
      'https://example.com/%71r/%6c/x',
      'https://example.com/l/../qr/l/x',
    ],
  };
  for (const [publicUrl, spellings] of Object.entries(own)) {
    for (const written of spellings) {
      t.match(checkDestination(written, publicUrl), { ok: false, fault: /own short links/ }, written);
    }
  }
  const others: Record<string, readonly string[]> = {
    'http://127.0.0.1:3000': [
      'http://127.0.0.1:3001/l/x',
      'http://localhost/l/x',
      'http://192.168.0.1:3000/l/x',
    ],
    'https://example.com/qr': [
      'https://example.com/l/x',
      'https://example.com/qrs/l/x',
      'https://example.com/qr/x/l/x',
    ],
    'https://example.com': [
      'https://evil.example/?https://example.com/l/x',
      'https://example.com/a/l/x',
      'https://example.com/l',
    ],
  };
  for (const [publicUrl, spellings] of Object.entries(others)) {
    for (const written of spellings) t.match(checkDestination(written, publicUrl), { ok: true }, written);
  }
  for (const written of [
    'https://qr.example.com/dashboard',
    'https://qr.example.com/link',
    'https://other.example.com/l/abcdefgh',
    'https://qr.example.com:8443/l/abcdefgh',
    'https://qr.example.com/%E0%A4%A/l/',
  ]) {
    t.match(checkDestination(written, PUBLIC_URL), { ok: true }, written);
  }
});

t.test('a destination may be as long as the content of a code, and fits into a header', async (t) => {
  const base = 'https://example.com/';
  t.match(checkDestination(base.padEnd(4296, 'a'), PUBLIC_URL), { ok: true });
  t.match(checkDestination(base.padEnd(8192, 'a'), PUBLIC_URL), { ok: true });
  t.match(checkDestination(base.padEnd(8193, 'a'), PUBLIC_URL), { ok: false, fault: /at most 8192/ });
  const shortOnceParsed = base + 'a/../'.repeat(10_000);
  t.match(checkDestination(shortOnceParsed, PUBLIC_URL), { ok: false, fault: /at most 8192/ });
  const encoded = checkDestination(base.padEnd(1300, 'é'), PUBLIC_URL);
  t.match(encoded, { ok: true, value: /^.{5000,}$/ });
  t.strictSame(encoded.ok && checkDestination(encoded.value, PUBLIC_URL), encoded, 'it may be sent back');
  t.match(checkDestination(base.padEnd(4000, 'é'), PUBLIC_URL), { ok: false, fault: /at most 8192/ });
});

t.test('an accepted destination is valid in a Location header and is accepted again', async () => {
  const written = fc.oneof(
    fc.webUrl(),
    fc.string({ unit: 'binary' }).map((rest) => `https://example.com/${rest}`),
    fc.string({ unit: 'grapheme' }).map((host) => `http://${host}`),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(written, (text) => {
      const checked = checkDestination(text, PUBLIC_URL);
      if (!checked.ok) return true;
      const again = checkDestination(checked.value, PUBLIC_URL);
      return isRedirectable(checked.value) && again.ok && again.value === checked.value;
    }),
    { numRuns: 3000 },
  );
});

t.test('texts that are not valid in a header are not redirectable', async (t) => {
  for (const href of ['javascript:alert(1)', 'https://a/\r\nX: y', 'https://a/ b', 'https://é/', '//a', '']) {
    t.notOk(isRedirectable(href), JSON.stringify(href));
  }
});

t.test('slugs are 8 characters of base62, all equally likely', async (t) => {
  const slugs = Array.from({ length: 20_000 }, createSlug);
  t.ok(slugs.every(isSlug));
  t.equal(new Set(slugs).size, slugs.length);
  const counts = new Map<string, number>();
  for (const character of slugs.join('')) counts.set(character, (counts.get(character) ?? 0) + 1);
  t.equal(counts.size, 62);
  const expected = (slugs.length * 8) / 62;
  const chiSquared = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
  // With 61 degrees of freedom, above 150 once in 10^9 runs; taking bytes modulo 62 gives about 860.
  t.ok(chiSquared < 150, `chi squared is ${chiSquared}`);
  for (const text of ['ab', 'x'.repeat(65), '-bcdefg', 'abcdefg-', 'abcdefg\n', 'abcdefgé', ''])
    t.notOk(isSlug(text));
  for (const text of ['abc', 'Spring-Menu_2', 'x'.repeat(64)]) t.ok(isSlug(text));
});

t.test('random bytes give one slug, without those that would favour some characters', async (t) => {
  const slugFor = (...bytes: readonly number[]) => slugOf(Uint8Array.from(bytes));
  t.equal(slugFor(0, 9, 10, 35, 36, 61, 62, 247, 1, 1), '09AZaz0z');
  t.equal(slugFor(248, 1, 255, 2, 250, 3, 4, 5, 6, 7, 8, 9), '12345678');
  t.equal(slugFor(255, 1, 2), '12000000');
});

t.test('slugs that look alike share a skeleton; reserved and malformed ones are refused', async (t) => {
  for (const [one, other] of [
    ['Spring-Menu', 'spring_menu'],
    ['room-10', 'rooml0'],
    ['hello', 'HE11O'],
    ['modern', 'modem'],
    ['bus-5', 'buss'],
    ['vvest', 'west'],
  ] as const) {
    t.equal(skeletonOf(one), skeletonOf(other), `${one} and ${other}`);
  }
  t.not(skeletonOf('table-2'), skeletonOf('table-3'));
  for (const slug of ['admin', 'Log-In', 'L0GIN', 'well-known', 'ab', 'a'.repeat(65), 'ends-', 'ä-umlaut']) {
    t.notOk(checkOwnSlug(slug, null).ok, slug);
  }
  // Any other slug is accepted or reserved, and case, 0 for O and _ for - do not change its skeleton.
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9A-Za-z][0-9A-Za-z_-]{1,62}[0-9A-Za-z]$/), (slug) => {
      const checked = checkOwnSlug(slug, null);
      const alike = slug.toUpperCase().replaceAll('0', 'O').replaceAll('_', '-');
      return (
        skeletonOf(alike) === skeletonOf(slug) &&
        (checked.ok ? checked.value.skeleton === skeletonOf(slug) : /reserved/.test(checked.fault))
      );
    }),
  );
});

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1';
const inApp = (suffix: string) => IPHONE.replace(/Version.*/, `Mobile/15E148 ${suffix}`);
const traits = (some: Partial<ScanTraits>): ScanTraits => ({
  userAgent: IPHONE,
  referrer: '',
  country: '',
  purpose: '',
  ...some,
});
const classify = createScanClassifier(100);

t.test('people, bots and link previews are distinguished', async (t) => {
  const people = [
    IPHONE,
    inApp('[FBAN/FBIOS;FBAV/430.0;FBBV/1]'),
    inApp('Instagram 300.0.0.1 (iPhone14,2; iOS 17_4)'),
    inApp('[Pinterest/iOS]'),
    inApp('KAKAOTALK 10.2'),
    inApp('Line/13.10.0/IAB'),
    inApp('MicroMessenger/8.0'),
    inApp('Snapchat/12.0'),
    inApp('LinkedInApp/9.1'),
    'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0',
  ];
  const bots = [
    '',
    'node',
    'undici',
    'curl/8.0',
    'python-requests/2.31',
    'Go-http-client/2.0',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
  ];
  const previews = [
    'WhatsApp/2.23.20.0 A',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'facebookexternalhit/1.1;line-poker/1.0',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'Twitterbot/1.0',
    'TelegramBot (like TwitterBot)',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
    'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)',
    'kakaotalk-scrap/1.0;',
    'http.rb/5.1.1 (Mastodon/4.2.0; +https://mastodon.example/)',
    'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots',
  ];
  const kinds = (agents: readonly string[]) =>
    agents.map((userAgent) => classify(traits({ userAgent })).kind);
  t.strictSame(new Set(kinds(people)), new Set(['person']));
  t.strictSame(new Set(kinds(bots)), new Set(['bot']));
  t.strictSame(new Set(kinds(previews)), new Set(['preview']));
});

const phone = (model: string, suffix = '') =>
  `Mozilla/5.0 (Linux; Android 7.0; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/78.0.3904.96 Mobile Safari/537.36${suffix}`;

t.test('the model of a phone makes nobody a bot, and a fetcher on a phone stays one', async (t) => {
  const kindOf = (userAgent: string) => classify(traits({ userAgent })).kind;
  const models = `M BOT 551 Build/MRA58K|B BOT 550 Build/MRA58K; wv|M bot 60 Build/NRD90M; wv|CUBOT_P20|CUBOT NOTE 20 PRO
M_bot_tab_1150 Build/N9F27F|ID bot 53+ Build/NRD90M|XBot_Senior Build/O11019|POWER BOT|C Bot Tab 70|S222 Build/CUBOT
GM Discovery II|Spider 8|GLX SpiderI Build/KOT49H|Superion Radar Deluxe Build/NRD90M|ECHO JAVA|Newsday_N2+|Capture+
AURII Virtuoso|CG\x7cEON Blaze GOLD|Google 2XL|DYON 2K Google TV Build/RTK2.230523.018; wv|Moto G (5) Plus|Robot (2)|K`;
  for (const model of models.split(/[|\n]/)) {
    const agent = phone(model.replace('\\x7c', '|'));
    t.equal(kindOf(agent), 'person', agent);
    t.equal(kindOf(agent.replace('7.0; ', '7.0; de-de; ').replace('Linux; ', 'Linux; U; ')), 'person', agent);
    t.equal(classify(traits({ userAgent: agent })).os, 'Android', agent);
    for (const fetcher of [
      ' (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      ' (compatible; Bytespider; spider-feedback@bytedance.com)',
      ' Chrome-Lighthouse',
    ])
      t.equal(kindOf(agent + fetcher), 'bot', agent + fetcher);
  }
  for (const app of [
    ' CamScanner/4.8.5.2310271827',
    ' SogouMSE,SogouMobileBrowser/5.28.7',
    ' MicroMessenger/7.0.1380(0x27000034) Process/tools NetType/WIFI Language/zh_CN',
    ' QRScanner/2.1',
    ' Barcode Scanner/1.0',
    ' Instagram 89.0.0.21.101 Android (24/7.0; 320dpi; 720x1184; HUAWEI; M BOT 551; ID; mt6735; de_DE)',
    ' [FB_IAB/FB4A;FBAV/430.0.0.23.113;]',
    ' [FBAN/FB4A;FBAV/430.0;FBDV/M BOT 551;FBSV/7.0]',
  ])
    t.equal(kindOf(phone('SM-S918B', app)), 'person', app);
  for (const model of [
    'Catchpoint',
    'compatible; FooBot/1.0',
    'FooBot/1.0; +https://foo.example/bot',
    'compatible; PetalBot;+https://webmaster.petalsearch.com/site/petalbot',
  ])
    t.equal(kindOf(phone(model)), 'bot', model);
  for (const agent of [
    'QR Scanner',
    'Masscan/1.3',
    'Mozilla/5.0 (compatible; SecurityScanner/1.0)',
    'M BOT 551',
  ])
    t.equal(kindOf(agent), 'bot', agent);
  t.equal(kindOf(phone('K').replace('Chrome/', 'HeadlessChrome/')), 'bot');
});

t.test('a prefetch by a browser counts as a preview', async (t) => {
  for (const purpose of [
    'prefetch',
    'prefetch;prerender',
    'prefetch;anonymous-client-ip',
    'preview',
    'Prefetch',
  ]) {
    t.equal(classify(traits({ purpose })).kind, 'preview', purpose);
  }
  t.equal(classify(traits({ purpose: 'navigate' })).kind, 'person');
  t.equal(classify(traits({ purpose: 'prefetch', userAgent: 'curl/8.0' })).kind, 'bot');
});

t.test('a person has a device, a system and a browser; a bot has none of them', async (t) => {
  const client = (userAgent: string) => {
    const { device, os, browser } = classify(traits({ userAgent }));
    return [device, os, browser];
  };
  t.strictSame(client(IPHONE), ['mobile', 'iOS', 'Safari']);
  t.strictSame(client(IPHONE.replace('iPhone; CPU iPhone OS', 'iPad; CPU OS')), ['tablet', 'iOS', 'Safari']);
  t.strictSame(
    client(
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
    ),
    ['mobile', 'Android', 'Chrome'],
  );
  t.strictSame(
    client(
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/118 Safari/537.36 Edg/118.0',
    ),
    ['desktop', 'Windows', 'Microsoft Edge'],
  );
  t.strictSame(
    client(
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
    ),
    ['desktop', 'Chrome OS', 'Chrome'],
  );
  t.strictSame(client('Slackbot 1.0'), ['', '', '']);
  t.strictSame(
    client('AcmeScanner/1.0 (unheard of)'),
    ['', '', ''],
    'an arbitrary name of a client is not stored',
  );
});

t.test(
  'referrers are reduced to hosts of at most a hundred characters, countries to two letters; all else becomes empty',
  async (t) => {
    const hosts: Record<string, string> = {
      'https://www.Example.com:8080/a?b=secret': 'example.com',
      'http://t.co/x': 't.co',
      'android-app://com.google.android.gm/': 'com.google.android.gm',
      'https://münchen.de': 'xn--mnchen-3ya.de',
      [`https://${'x'.repeat(60)}.${'y'.repeat(60)}.example.com/`]: `${'y'.repeat(60)}.example.com`,
      [`https://${'x'.repeat(120)}/`]: 'x'.repeat(100),
      'javascript:alert(1)': '',
      'example.com': '',
      'https://': '',
      '': '',
    };
    for (const [referrer, host] of Object.entries(hosts)) {
      t.equal(classify(traits({ referrer })).referrerHost, host, referrer);
    }
    const countries = { de: 'DE', US: 'US', XX: '', zz: '', T1: '', DEU: '', '': '', 'D\n': '' };
    for (const [country, code] of Object.entries(countries)) {
      t.equal(classify(traits({ country })).country, code, country);
    }
  },
);

t.test('a URL with letters beyond ASCII is accepted every time', async (t) => {
  const isRead = () =>
    classify(traits({ referrer: 'https://münchen.de' })).referrerHost !== '' &&
    checkDestination('https://example.com/für', 'https://qr.test').ok;
  t.equal(Array.from({ length: 30_000 }, isRead).filter(Boolean).length, 30_000);
});

t.test('whatever the headers, the values of a scan fit the columns of the table', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 600 }),
    fc.constantFrom(IPHONE, 'curl/8', 'https://a.b/'),
  );
  fc.assert(
    fc.property(text, text, text, text, (userAgent, referrer, country, purpose) => {
      const scan = classify({ userAgent, referrer: `https://${referrer}`, country, purpose });
      return (
        scan.device.length <= 16 &&
        [scan.os, scan.browser].every((name) => name.length <= 32 && !name.includes('/')) &&
        /^([A-Z]{2})?$/.test(scan.country) &&
        /^[\x21-\x7e]{0,100}$/.test(scan.referrerHost)
      );
    }),
    { numRuns: 2000 },
  );
});

t.test('headers of scans are used up to the length that browsers send', async (t) => {
  const long = 'x'.repeat(10_000);
  const scan = noteScan('abcdefgh', '192.0.2.1', {
    'user-agent': long,
    referer: long,
    'cf-ipcountry': 'DE',
    'sec-purpose': 'prefetch',
  });
  t.match(scan, { slug: 'abcdefgh', address: '192.0.2.1', country: 'DE', purpose: 'prefetch' });
  t.equal(scan.userAgent.length, 512);
  t.equal(scan.referrer.length, 512);
  t.match(noteScan('abcdefgh', '', {}), { userAgent: '', referrer: '', country: '', purpose: '' });
});

t.test('addresses of one network count as the same', async (t) => {
  t.equal(networkOf('192.0.2.1'), networkOf('::ffff:192.0.2.1'));
  t.not(networkOf('192.0.2.1'), networkOf('192.0.2.2'));
  t.equal(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:2:ffff::2'));
  t.not(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'));
  t.equal(networkOf('not an address'), '');
});

t.test('a visitor hash is the same only within one day and link', async (t) => {
  const loads: string[] = [];
  const gateway = () =>
    createVisitorHash(async (day) => {
      loads.push(day);
      return Buffer.from(day.padEnd(32, '!'));
    });
  const one = async (hash: ReturnType<typeof gateway>, traits: VisitorTraits) => (await hash([traits]))[0]!;
  const known = gateway();
  const hash = (traits: VisitorTraits) => one(known, traits);
  const visitor = {
    slug: 'abcdefgh',
    at: new Date('2026-11-21T00:00:00Z'),
    address: '192.0.2.1',
    userAgent: IPHONE,
  };
  const first = await hash(visitor);
  t.match(first, /^[0-9a-f]{16}$/);
  t.strictSame(await hash({ ...visitor, at: new Date('2026-11-21T23:59:59Z') }), first);
  t.strictSame(await one(gateway(), visitor), first, 'all gateways compute the same hash');
  const others = await Promise.all([
    hash({ ...visitor, at: new Date('2026-11-22T00:00:00Z') }),
    hash({ ...visitor, slug: 'abcdefgi' }),
    hash({ ...visitor, address: '192.0.2.2' }),
    hash({ ...visitor, userAgent: 'other' }),
  ]);
  t.equal(new Set([first, ...others]).size, 5);
  t.strictSame(loads, ['2026-11-21', '2026-11-21', '2026-11-22'], 'each gateway loads a salt once a day');
});

t.test('a salt that failed to load is loaded again, and old salts are dropped', async (t) => {
  let away = true;
  const loads: string[] = [];
  const hash = createVisitorHash(async (day) => {
    loads.push(day);
    if (away) throw new Error('away');
    return Buffer.alloc(32);
  });
  const on = (day: string) => hash([{ slug: 'abcdefgh', at: new Date(day), address: '', userAgent: '' }]);
  await t.rejects(on('2026-11-21'), /away/);
  away = false;
  await on('2026-11-21');
  await on('2026-11-22');
  await on('2026-11-21');
  await on('2026-11-23');
  await on('2026-11-22');
  await on('2026-11-21');
  t.strictSame(loads, ['2026-11-21', '2026-11-21', '2026-11-22', '2026-11-23', '2026-11-21']);
});
