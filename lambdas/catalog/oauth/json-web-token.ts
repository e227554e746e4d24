/** Strict syntax of JSON Web Tokens, so that a token which two parsers would read differently is refused. */

/** Base64url (RFC 4648 section 5) without padding, whose unused bits are zero (section 3.5), so that each value has one text. */
export const canonicalBase64Url = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;

/** Whether a text is base64url as an encoder writes it. Decoders accept several texts for one value. */
export function isCanonicalBase64Url(text: string): boolean {
  return canonicalBase64Url.test(text);
}
