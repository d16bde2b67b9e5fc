/** The characters that give a JSON text its form (RFC 8259, section 2), as codes: they are the same bytes in UTF-8. */

/** `"` */
export const QUOTE = 0x22;
/** `\` */
export const BACKSLASH = 0x5c;
/** `,` */
export const COMMA = 0x2c;
/** `:` */
export const COLON = 0x3a;
/** `[` */
export const OPEN_LIST = 0x5b;
/** `]` */
export const CLOSE_LIST = 0x5d;
/** `{` */
export const OPEN_RECORD = 0x7b;
/** `}` */
export const CLOSE_RECORD = 0x7d;
