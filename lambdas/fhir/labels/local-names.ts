/** Names (`Type/id`) in references and addresses. */

/** The name of what a reference leads to, whatever its form: relative, absolute, or of a version. Another text as it is. */
export function localName(reference: string): string {
  return ending.exec(reference)?.[1] ?? reference;
}

const ending = /(?:^|\/)([A-Z][A-Za-z]+\/[A-Za-z0-9\-.]{1,64})(?:\/_history\/[^/]*)?\/?(?:[?#|].*)?$/;

/** Whether the JSON of a resource has one of the names anywhere; cheap, so that few resources are parsed. */
export function mayNameOneOf(json: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  // A string may be written with escapes (RFC 8259 section 7): such a resource is parsed.
  if (json.includes('\\u') || json.includes('\\/')) return true;
  // The pattern starts at slashes: one that starts at each word costs several times as much.
  for (let slash = json.indexOf('/'); slash !== -1; slash = json.indexOf('/', slash + 1)) {
    const start = typeStart(json, slash);
    // Most slashes are in URLs, whose parts are lowercase.
    if (json.charCodeAt(start) <= upperZ && names.has(json.slice(start, idEnd(json, slash)))) return true;
  }
  return false;
}

const upperZ = 90;

function typeStart(json: string, slash: number): number {
  let at = slash;
  while (isLetter(json.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** Letters, digits, `-` and `.`, 64 at most (R4, datatypes.html#id). */
function idEnd(json: string, slash: number): number {
  let at = slash + 1;
  for (; at - slash <= 64; at += 1) {
    const code = json.charCodeAt(at);
    if (!isLetter(code) && !(code >= 48 && code <= 57) && code !== 45 && code !== 46) break;
  }
  return at;
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= upperZ) || (code >= 97 && code <= 122);
}
