/** A member of a JSON object: its name, and the unparsed text of its value. */
export interface JsonMember {
  readonly name: string;
  readonly text: string;
}

/**
 * Splits a JSON object into its members without parsing their values, so that decimals keep their precision, as FHIR requires (R4,
 * datatypes.html#decimal); `JSON.parse` turns 1.00 into 1.
 *
 * @param json of an object.
 * @throws SyntaxError for any other text.
 */
export function jsonMembers(json: string): readonly JsonMember[] {
  const members: JsonMember[] = [];
  let at = afterSpace(json, 0);
  if (json[at] !== '{') throw new SyntaxError('no JSON object');
  at = afterSpace(json, at + 1);
  while (json[at] !== '}') {
    const nameEnd = stringEnd(json, at);
    const colon = afterSpace(json, nameEnd);
    const start = afterSpace(json, colon + 1);
    const end = valueEnd(json, start);
    members.push({ name: JSON.parse(json.slice(at, nameEnd)) as string, text: json.slice(start, end) });
    at = afterSpace(json, end);
    if (json[at] === ',') at = afterSpace(json, at + 1);
  }
  return members;
}

/** Joins members to a JSON object. */
export function jsonObject(members: readonly JsonMember[]): string {
  return `{${members.map(({ name, text }) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

function afterSpace(json: string, from: number): number {
  let at = from;
  while (json.charCodeAt(at) <= 0x20) at += 1;
  return at;
}

/**
 * The position after a string's closing quote.
 *
 * @param from position of the opening quote.
 */
function stringEnd(json: string, from: number): number {
  if (json[from] !== '"') throw new SyntaxError('no JSON string');
  let at = json.indexOf('"', from + 1);
  while (at >= 0 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
  if (at < 0) throw new SyntaxError('an unfinished JSON string');
  return at + 1;
}

/** Whether the quote at a position is escaped: an odd number of backslashes precedes it. */
function isEscaped(json: string, at: number): boolean {
  let before = at - 1;
  while (json[before] === '\\') before -= 1;
  return (at - 1 - before) % 2 === 1;
}

function valueEnd(json: string, from: number): number {
  const first = json[from];
  if (first === '"') return stringEnd(json, from);
  if (first === '{' || first === '[') return nestedEnd(json, from);
  // Matches a number, true, false or null, up to the character that ends it.
  const literal = /[^\s,\]}]+/y;
  literal.lastIndex = from;
  if (!literal.test(json)) throw new SyntaxError('no JSON value');
  return literal.lastIndex;
}

/** The end of an object or a list, found by counting brackets outside strings. */
function nestedEnd(json: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < json.length) {
    const unit = json[at];
    if (unit === '{' || unit === '[') depth += 1;
    else if (unit === '}' || unit === ']') depth -= 1;
    at = unit === '"' ? stringEnd(json, at) : at + 1;
    if (depth === 0) return at;
  }
  throw new SyntaxError('an unfinished JSON value');
}
