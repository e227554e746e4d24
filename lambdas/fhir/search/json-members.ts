/** A member of a JSON object: its name, and its value as it is written. */
export interface JsonMember {
  readonly name: string;
  readonly text: string;
}

const quote = 0x22;
const backslash = 0x5c;
const openers = [0x7b, 0x5b];
const closers = [0x7d, 0x5d];

/**
 * The members of a JSON object without parsing their values: a decimal keeps its precision, as FHIR asks (R4,
 * datatypes.html#decimal), where `JSON.parse` makes 1 of 1.00.
 *
 * @param json of an object.
 * @throws SyntaxError for what is none.
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

/** A JSON object of members. */
export function jsonObject(members: readonly JsonMember[]): string {
  return `{${members.map(({ name, text }) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

function afterSpace(json: string, from: number): number {
  let at = from;
  while (json.charCodeAt(at) <= 0x20) at += 1;
  return at;
}

/** @param from where the opening quote stands. */
function stringEnd(json: string, from: number): number {
  if (json.charCodeAt(from) !== quote) throw new SyntaxError('no JSON string');
  for (let at = from + 1; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === quote) return at + 1;
    if (unit === backslash) at += 1;
  }
  throw new SyntaxError('an unfinished JSON string');
}

function valueEnd(json: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < json.length) {
    const unit = json.charCodeAt(at);
    const closes = closers.includes(unit);
    // A number or a word ends before what follows it.
    if (depth === 0 && at > from && (closes || unit === 0x2c || unit <= 0x20)) return at;
    at = unit === quote ? stringEnd(json, at) : at + 1;
    if (openers.includes(unit)) depth += 1;
    if (closes) depth -= 1;
    if (depth === 0 && (closes || unit === quote)) return at;
  }
  throw new SyntaxError('an unfinished JSON value');
}
