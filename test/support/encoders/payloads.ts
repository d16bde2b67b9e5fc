/** A kind of content that people put into QR codes. */
export interface Payload {
  readonly kind: string;
  readonly text: string;
}

const lines = (...parts: string[]): string => parts.join('\n');

/** Thirty kinds of content in ASCII, JIS X 0208 or other characters, named by their use. */
export const PAYLOADS: readonly Payload[] = [
  { kind: 'a web address', text: 'https://example.com/' },
  { kind: 'a web address with a number', text: 'https://example.com/orders/20260131004711999/items' },
  { kind: 'a web address in capitals', text: 'HTTPS://EXAMPLE.COM/T/7GHK20AA' },
  {
    kind: 'a web address with a query',
    text: 'https://example.com/p?id=1234567890123456&REF=SUMMER-SALE-2026&utm=x',
  },
  { kind: 'a short link', text: 'https://qr.example/l/aZ3kP09q' },
  { kind: 'a telephone number', text: 'tel:+4930123456789' },
  { kind: 'a text message', text: 'SMSTO:+4930123456789:See you at 18:30' },
  { kind: 'a mail', text: 'mailto:info@example.com?subject=ORDER%2020260131&body=Hello' },
  { kind: 'a place', text: 'geo:52.5200066,13.4049540' },
  { kind: 'a wireless network', text: 'WIFI:T:WPA;S:GUEST-4711;P:0123456789abcdef;;' },
  {
    kind: 'a card',
    text: lines('BEGIN:VCARD', 'VERSION:3.0', 'N:Doe;Jane', 'TEL:+4930123456789', 'END:VCARD'),
  },
  { kind: 'a short card', text: 'MECARD:N:DOE,JANE;TEL:04930123456789;EMAIL:jane@example.com;;' },
  {
    kind: 'an event',
    text: lines(
      'BEGIN:VEVENT',
      'SUMMARY:Fair',
      'DTSTART:20260131T180000Z',
      'DTEND:20260131T230000Z',
      'END:VEVENT',
    ),
  },
  {
    kind: 'a transfer',
    text: lines(
      'BCD',
      '002',
      '1',
      'SCT',
      'BFSWDE33BER',
      'Example',
      'DE02100500000054540402',
      'EUR12.30',
      '',
      '',
      'Gift',
    ),
  },
  { kind: 'a payment address', text: 'bitcoin:BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ?amount=0.00012345' },
  {
    kind: 'a second factor',
    text: 'otpauth://totp/Example:jane?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Example',
  },
  { kind: 'a boarding pass', text: 'M1DOE/JANE            EABC123 BERFRALH 0123 031Y012A0034 100' },
  { kind: 'a book', text: '9783161484100' },
  { kind: 'a serial number', text: 'SN-2026-000123456789-A' },
  { kind: 'a traded unit', text: '010952123456788110ABCD1234172612312112345678901234567890' },
  { kind: 'a list of numbers', text: '4711,4712,4713,10000000000000001,7' },
  { kind: 'a UUID', text: '123e4567-e89b-12d3-a456-426614174000' },
  { kind: 'a UUID in capitals', text: '123E4567-E89B-12D3-A456-426614174000' },
  { kind: 'a digest', text: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' },
  { kind: 'a record', text: '{"id":20260131004711,"sku":"ABC-1234567890","qty":12}' },
  { kind: 'a long number', text: '31415926535897932384626433832795028841971693993751'.repeat(6) },
  { kind: 'Japanese', text: '東京都千代田区丸の内一丁目九番' },
  {
    kind: 'Japanese with an address',
    text: '株式会社サンプル 100-0005 東京都千代田区 https://example.jp/A1',
  },
  { kind: 'German', text: 'Grüße aus Köln: Straße 12345678, Tür 7' },
  { kind: 'Russian with a number', text: 'Заказ 202601310047119999 готов' },
];
