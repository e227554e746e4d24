/** A source of randomness. Injected, so that tests can predict it. */
export interface Random {
  /** `bytes` random bytes, base64url without padding; 32 bytes (256 bit) by default. */
  token(bytes?: number): string;
  /** A version 4 UUID. */
  uuid(): string;
  /** A number of decimal digits, uniformly distributed; at most 14. */
  digits(count: number): string;
}
