/** Strict syntax of a JSON Web Token's texts: a token that two parsers would read differently is refused. */

/** Base64url (RFC 4648 section 5) without padding, whose unused bits are zero (section 3.5): of each value there is one text. */
export const canonicalBase64Url = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;

/** Whether a text is base64url as an encoder writes it. A decoder takes several texts for one value. */
export function isCanonicalBase64Url(text: string): boolean {
  return canonicalBase64Url.test(text);
}

/** Strings and marks of a JSON text, in their order. */
const jsonTokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * Whether an object of a JSON text names a member twice (RFC 7519 section 4): `JSON.parse` keeps the last of two, another
 * reader may keep the first.
 *
 * @param json text that `JSON.parse` takes.
 */
export function repeatsMember(json: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  let before = '';
  for (const [token] of json.matchAll(jsonTokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const members = open.at(-1);
      const name = String(JSON.parse(before));
      if (members?.has(name) === true) return true;
      members?.add(name);
    }
    before = token;
  }
  return false;
}
