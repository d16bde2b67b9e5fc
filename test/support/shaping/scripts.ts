/** Texts of many scripts, and random ones. */
import fc from 'fast-check';

/** What people print, by its script. */
export const SCRIPT_TEXTS = {
  Polish: 'Zażółć gęślą jaźń',
  Greek: 'Καλημέρα κόσμε',
  Cyrillic: 'Привет, мир',
  Hebrew: 'שלום עולם',
  'Hebrew with points': 'בְּרֵאשִׁית בָּרָא',
  Arabic: 'مرحبا بالعالم',
  'Arabic with vowels': 'مُحَمَّدٌ رَسُولُ',
  'Arabic ligatures': 'السلام لا إله',
  Persian: 'می‌خواهم گچپژ',
  Urdu: 'اردو ٹڈڑ',
  Thai: 'สวัสดีชาวโลก',
  'Thai with marks': 'น้ำที่ปิ่น ญู่ ฐู',
  'marks on letters': 'x\u0323\u0308 q\u0307',
} as const;

const LETTERS = [
  ...'abcXYZ 019.,-()[]/%+\n',
  ...'ąćęłńóśźżΩαβπжяюЁ',
  ...'אבגדהשםןץ\u05b0\u05b4\u05bc\u05c1',
  ...'ابتجحسشلامهويیگ٠١٢؟،\u064b\u064e\u0651\u0640ﻻ',
  ...'กขงชญฐนมรสะาิีุู่้๊์ำเแโไ',
  ...'\u200c\u200d\u200e\u200f\u061c\u202a\u202e\u2066\u2069\ufe0f',
  ...'\u0301\u0308\u0323\u20dd',
  ...'日本語가각\u1100\u1161हिन्दी😀👩‍👩‍👧🇩🇪',
  ...['\u{e000}', '\u0378', '\ud800', '\u0000', '\u{1e900}', '\u{10ffff}'],
] as const;

/** Texts of all scripts, also such as nobody writes. */
export const anyScript = fc.oneof(
  fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 40 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
);
