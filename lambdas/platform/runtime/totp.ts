/** Time-based one-time passwords (RFC 6238), for authenticator apps. */

import { createHmac } from 'node:crypto';

/** Time-based one-time passwords (RFC 6238) with the parameters that every authenticator app supports: SHA-1, six digits, 30 seconds. */
export interface Totp {
  /** The shared key in the form typed into an app: base32 (RFC 4648 section 6) of 160 bits (RFC 4226 section 4). */
  key(keyMaterial: string): string;
  /**
   * The code of a time step.
   *
   * @param step number of 30-second steps since 1970
   */
  code(keyMaterial: string, step: number): string;
}

const keyBytes = 20;
const digits = 6;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * The shared key.
 *
 * @param keyMaterial at least 20 bytes, base64url.
 */
function keyOf(keyMaterial: string): Buffer {
  const key = Buffer.from(keyMaterial, 'base64url').subarray(0, keyBytes);
  if (key.length < keyBytes) throw new Error('too little key material for a one-time password');
  return key;
}

export const totp: Totp = {
  key(keyMaterial) {
    const bits = Array.from(keyOf(keyMaterial), (byte) => byte.toString(2).padStart(8, '0')).join('');
    return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('');
  },
  code(keyMaterial, step) {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(step));
    const hash = createHmac('sha1', keyOf(keyMaterial)).update(counter).digest();
    // The last four bits are the offset of the number (RFC 4226 section 5.3).
    const offset = (hash.at(-1) ?? 0) & 0xf;
    const number = hash.readUInt32BE(offset) & 0x7fff_ffff;
    return String(number % 10 ** digits).padStart(digits, '0');
  },
};
