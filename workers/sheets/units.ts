/** Points in a millimetre. */
export const PT_PER_MM = 72 / 25.4;
