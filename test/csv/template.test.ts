import fc from 'fast-check';
import t from 'tap';
import { fillTemplate, namesOf, parseTemplate } from '../../src/csv/template.ts';

const parse = (text: string) => {
  const parsed = parseTemplate(text);
  if (!parsed.ok) throw new Error(parsed.fault);
  return parsed.value;
};

const fill = (text: string, values: Readonly<Record<string, string>>) => {
  const filled = fillTemplate(parse(text), (name) => values[name], 4296);
  return filled.ok ? filled.value : `fault: ${filled.fault}`;
};

t.test('a value in a URL stays one component, which a URL parser returns unchanged', async (t) => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (value) => {
      const url = new URL(fill('https://example.com/a/{v}?q={v}#{v}', { v: `x${value}` }));
      t.equal(decodeURIComponent(url.pathname), `/a/x${value}`);
      t.equal(decodeURIComponent(url.search.slice(3)), `x${value}`);
      t.equal(decodeURIComponent(url.hash.slice(1)), `x${value}`);
    }),
  );
  t.equal(
    fill('https://example.com/{v}', { v: "a/b?c!'()*" }),
    'https://example.com/a%2Fb%3Fc%21%27%28%29%2A',
  );
});

t.test('values outside URLs are inserted unchanged', async (t) => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (value) => {
      t.equal(fill('Box {v}; {v}', { v: value }), `Box ${value}; ${value}`);
    }),
  );
});

t.test('doubled braces are literal braces, and each name is listed once', async (t) => {
  t.equal(fill('{{{a}}} {{b}}', { a: '1' }), '{1} {b}');
  t.strictSame(namesOf(parse('{b}{ a b }{b:03}{{c}}')), ['b', 'a b']);
});

t.test('a number is padded to its width, and values that do not fit are refused', async (t) => {
  t.equal(fill('{n:06}/{n}', { n: '42' }), '000042/42');
  t.equal(fill('{n:02}', { n: '100' }), 'fault: 100 has more digits than {n:02} takes');
  t.equal(fill('{n:02}', { n: '-1' }), 'fault: {n:02} takes only digits here');
  t.equal(fill('https://a.example/{n}/b', { n: '..' }), 'fault: {n} must not be ".." in a URL');
  t.equal(fill('{n}', { m: '1' }), 'fault: {n} has no value here');
  t.equal(fill('https://a.example/{n}', { n: '\ud800' }), 'fault: {n} has half of a surrogate pair here');
});

t.test('an invalid template is refused with a suggestion', async (t) => {
  const refusals = {
    'a{b': 'has a single "{"; write "{{" for the character itself',
    'a}b': 'has a single "}"; write "}}" for the character itself',
    '{}': '"{}" must be a name, or a name and a width, such as {serial:06}',
    '{a:6}': '"{a:6}" must be a name, or a name and a width, such as {serial:06}',
    '{a:016}': 'the width in "{a:016}" must be 01 to 15',
    'https://{a}.example/': 'must give its host as text: names may only follow it',
    'https://a.example:{a}/': 'must give its host as text: names may only follow it',
    ' https://a.example/{a}': 'must not begin with white space',
    'https:{a}': 'must give its host as text: names may only follow it',
    [Array.from({ length: 51 }, (_, i) => `{n${i}}`).join('')]: 'must have at most 50 different names',
  };
  for (const [text, fault] of Object.entries(refusals))
    t.strictSame(parseTemplate(text), { ok: false, fault }, text);
});
