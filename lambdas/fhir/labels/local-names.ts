/** Finds resource names (`Type/id`) in references, URLs and JSON. */

/** The `Type/id` that a reference names, whether it is relative, absolute or versioned. Any other text is returned unchanged. */
export function localName(reference: string): string {
  return ending.exec(reference)?.[1] ?? reference;
}

const ending = /(?:^|\/)([A-Z][A-Za-z]+\/[A-Za-z0-9\-.]{1,64})(?:\/_history\/[^/]*)?\/?(?:[?#|].*)?$/;

/** Whether the JSON of a resource may contain one of the names. A cheap test, so that few resources have to be parsed. */
export function mayNameOneOf(json: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  // The name may be written with escapes (RFC 8259 section 7), so the resource has to be parsed.
  if (json.includes('\\u') || json.includes('\\/')) return true;
  // The search starts at slashes: a pattern that starts at each word costs several times as much.
  for (let slash = json.indexOf('/'); slash !== -1; slash = json.indexOf('/', slash + 1)) {
    const start = typeStart(json, slash);
    // Most slashes are in URLs, where a lowercase word comes before them and no resource type.
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

/** The end of the resource ID after a slash: letters, digits, `-` and `.`, at most 64 (R4, datatypes.html#id). */
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
