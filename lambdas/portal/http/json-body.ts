/** Parsing of a portal request's JSON body. The schema of each route is in `portal/api/`. */

/** Nesting levels of a body: the store takes 32, and no request needs more than these. */
const deepest = 16;
/** Tokens of a valid JSON text: strings, brackets and braces, and the colon after a name. */
const token = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g;

/**
 * A JSON object that every reader understands alike: each name once (RFC 8259 section 4), no name that JavaScript gives a
 * meaning, no half of a surrogate pair, no depth made to cost time. Each character is read twice at most.
 *
 * @returns undefined for any other text.
 */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !isPlain(text))
      return undefined;
    return value as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** @param text valid JSON. */
function isPlain(text: string): boolean {
  const open: Set<string>[] = [];
  for (const [found, colon] of text.matchAll(token)) {
    if (found === '{' || found === '[') {
      if (open.push(new Set()) > deepest) return false;
    } else if (found === '}' || found === ']') {
      open.pop();
    } else {
      const string = JSON.parse(colon === undefined ? found : found.slice(0, -colon.length)) as string;
      if (!string.isWellFormed()) return false;
      if (colon !== undefined && !isNewName(string, open.at(-1))) return false;
    }
  }
  return true;
}

function isNewName(name: string, names: Set<string> | undefined): boolean {
  if (name === '__proto__' || names === undefined || names.has(name)) return false;
  names.add(name);
  return true;
}
