/** Strict syntax of a JSON Web Token's texts: a token that two parsers would read differently is refused. */

/** Base64url (RFC 4648 section 5) without padding, whose unused bits are zero (section 3.5): of each value there is one text. */
export const canonicalBase64Url = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;

/** Whether a text is base64url as an encoder writes it. A decoder takes several texts for one value. */
export function isCanonicalBase64Url(text: string): boolean {
  return canonicalBase64Url.test(text);
}
