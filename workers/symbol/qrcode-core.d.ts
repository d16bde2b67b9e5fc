/** The encoder of `qrcode` alone: most of the time to load the package goes into PNG and canvas code. */
declare module 'qrcode/lib/core/qrcode.js' {
  export { create } from 'qrcode';
}
