/**
 * The encoder of `qrcode` alone: the package's own entry also loads PNG and canvas code, which takes most of its time.
 */
declare module 'qrcode/lib/core/qrcode.js' {
  export { create } from 'qrcode';
}
