/** Digests, and a comparison in constant time. */
export interface Digests {
  /** SHA-256 of the text's UTF-8, hex. */
  sha256Hex(text: string): string;
  /** SHA-256 of the text's UTF-8, base64url without padding. */
  sha256Base64Url(text: string): string;
  /** HMAC with SHA-256 (RFC 2104) over the texts' UTF-8, base64url without padding. */
  hmacSha256Base64Url(key: string, text: string): string;
  equal(a: string, b: string): boolean;
}

/** SHA-256 of a text's UTF-8, hex. */
export type Sha256 = Digests['sha256Hex'];
