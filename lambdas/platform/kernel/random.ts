/** A source of randomness. Injected, so that tests can determine its values. */
export interface Random {
  /** Makes `bytes` random bytes, base64url without padding; 32 bytes (256 bits) by default. */
  token(bytes?: number): string;
  /** Makes a version 4 UUID. */
  uuid(): string;
  /** Makes a number of uniformly distributed decimal digits; at most 14. */
  digits(count: number): string;
}
