/** Compares two contracts (contract.ts) and lists the changes of the later one that break clients of the earlier one. */

interface Line {
  readonly isOptional: boolean;
  readonly facts: readonly string[];
}
interface Section extends Line {
  readonly lines: ReadonlyMap<string, Line>;
}

/**
 * Parses a contract. Statements that the text shares between operations are copied to each operation: common parameters and servers, the
 * parameters of a search, the headers of all errors.
 */
function parse(text: string): ReadonlyMap<string, Section> {
  const sections = new Map<string, Section & { readonly lines: Map<string, Line> }>();
  let last = new Map<string, Line>();
  for (const [, indent, subject = '', optional, facts = ''] of text.matchAll(
    /^( *)(\S.*?)(\?)?:(?: (.*))?$/gm,
  )) {
    const line = { isOptional: optional !== undefined, facts: facts.split(' ') };
    if (indent === '') {
      last = new Map();
      sections.set(subject, { ...line, lines: last });
    } else last.set(subject, line);
  }
  const common = sections.get('common')?.lines ?? new Map<string, Line>();
  sections.delete('common');
  const operations = [...sections].filter(([name]) => !name.startsWith('schema '));
  for (const [, { lines }] of operations) {
    for (const [subject, { isOptional, facts }] of lines) {
      const [type = '', of, ...search] = facts;
      if (of !== 'of') continue;
      lines.set(subject, { isOptional, facts: [type] });
      for (const [name, line] of sections.get(search.join(' '))?.lines ?? []) {
        if (name.startsWith('query ')) lines.set(name.replace('query ', `${subject}.`), line);
      }
    }
  }
  for (const [, { facts, lines }] of operations) {
    for (const [subject, line] of common) {
      if (facts.slice(2).includes(subject.replace(/^\w+ /, ''))) lines.set(subject, line);
    }
    const servers = lines.get('servers') ?? common.get('servers');
    lines.set('servers', { isOptional: false, facts: servers?.facts.flatMap(hostsOf) ?? [] });
    const errors = lines.get('errors')?.facts ?? [];
    const headers = errors.filter((each) => statusOf(each) === undefined && !each.includes('='));
    lines.set('errors', {
      isOptional: false,
      facts: errors
        .filter((each) => !headers.includes(each))
        .map((each) => (statusOf(each) === undefined ? each : [each, ...headers].join('+'))),
    });
  }
  return sections;
}

/** The hosts of a URL pattern: `https://{a,b}.example` has two. */
function hostsOf(url: string): readonly string[] {
  const [, values = ''] = /\{(.*?)\}/.exec(url) ?? [];
  return values.split(',').map((value) => url.replace(/\{.*?\}/, value));
}

export interface Breakage {
  /** Section of the contract: `GET /path` or `schema Name`. */
  readonly section: string;
  readonly problem: string;
}

/**
 * Lists the changes of the later contract that break clients of the earlier one, by the rules of the portal's page on versioning
 * (portal-static/docs/versioning.md).
 */
export function breakagesOf(earlier: string, later: string): readonly Breakage[] {
  const now = parse(later);
  return [...parse(earlier)].flatMap(([section, before]) => {
    const after = now.get(section);
    const problems = after === undefined ? ['removed'] : sectionProblems(section, before, after);
    return problems.map((problem) => ({ section, problem }));
  });
}

function sectionProblems(section: string, before: Section, after: Section): readonly string[] {
  const isSchema = section.startsWith('schema ');
  const [use = '', ...type] = before.facts;
  const [useNow = '', ...typeNow] = after.facts;
  const uses = new Set([...use.split('|'), ...useNow.split('|')]);
  const isRequest = (subject: string) =>
    isSchema ? uses.has('request') : /^(query|header|path|body) /.test(subject);
  const isResponse = (subject: string) => (isSchema ? uses.has('response') : /^\d\w\w /.test(subject));
  const compare = (subject: string, one: Line, other: Line) => [
    ...(isRequest(subject) ? requestProblems(one, other) : []),
    ...(isResponse(subject) ? responseProblems(one, other) : []),
    ...(isRequest(subject) || isResponse(subject) ? [] : wordProblems(one.facts, other.facts)),
  ];
  return [
    ...(isSchema
      ? compare('', { isOptional: false, facts: type }, { isOptional: false, facts: typeNow })
      : headProblems(before.facts, after.facts)),
    ...[...before.lines].flatMap(([subject, line]) => {
      const lineNow = after.lines.get(subject);
      const problems = lineNow === undefined ? ['removed'] : compare(subject, line, lineNow);
      return problems.map((problem) => `${subject} ${problem}`);
    }),
    ...[...after.lines]
      .filter(([subject, { isOptional }]) => !isOptional && isRequest(subject) && !before.lines.has(subject))
      // A new required property of a new object does not break clients, which do not send the object yet.
      .filter(([subject]) => before.lines.has(parentOf(subject)) || !after.lines.has(parentOf(subject)))
      .map(([subject]) => `${subject} required`),
  ];
}

const parentOf = (subject: string) => subject.replace(/(\[\])*\.[^.<[]+$|(\[\])*<[^>]*>$/, '');

/** Compares an operation's ID and its credentials. */
function headProblems(
  [id, security = '']: readonly string[],
  [idNow, securityNow = '']: readonly string[],
): readonly string[] {
  const accepted = securityNow.split('|');
  return [
    ...(id === idNow ? [] : [`operation ${id} renamed`]),
    ...(accepted.includes('none') || security.split('|').every((each) => accepted.includes(each))
      ? []
      : [`credentials ${security} no longer accepted`]),
  ];
}

/** Compares responses or servers: media types, headers and hosts must remain; the status of an error may be removed. */
function wordProblems(before: readonly string[], after: readonly string[]): readonly string[] {
  const statuses = after.map(statusOf);
  const kept = after.flatMap(promisesOf);
  return before
    .filter((each) => statusOf(each) === undefined || statuses.includes(statusOf(each)))
    .flatMap(promisesOf)
    .filter((each) => !kept.includes(each) && !(each.endsWith('?') && kept.includes(each.slice(0, -1))))
    .map((each) => `${each} removed`);
}

const statusOf = (word: string) => /^(\d\w\w|default)(?=\+|$)/.exec(word)?.[0];

/** The status and the headers of `401+Allow+Retry-After`. */
function promisesOf(word: string): readonly string[] {
  const status = statusOf(word);
  if (status === undefined) return [word];
  const [, ...headers] = word.split('+');
  return headers.map((header) => `${status} ${header}`);
}

function requestProblems(before: Line, after: Line): readonly string[] {
  return [
    ...(before.isOptional && !after.isOptional ? ['required'] : []),
    ...narrowings(before.facts, after.facts).map((each) => `no longer accepts ${each}`),
  ];
}

/** Compares a response's property. A new property and a new value of a list do not break clients, which ignore what they don't know. */
function responseProblems(before: Line, after: Line): readonly string[] {
  return [
    ...(!before.isOptional && after.isOptional ? ['no longer always sent'] : []),
    ...narrowings(after.facts, before.facts)
      .filter((each) => !each.startsWith('"') && each !== 'closed')
      .map((each) => `can be other than ${each}`),
  ];
}

/** Lists what the first of two types accepts and the second does not: removed alternatives and new constraints. */
function narrowings(
  [wide = '', ...wideConstraints]: readonly string[],
  [narrow = '', ...constraints]: readonly string[],
): readonly string[] {
  const accepted = narrow.split('|');
  const covers = (type: string) =>
    accepted.includes('any') ||
    accepted.includes(type) ||
    accepted.includes(type.replace(/^".*"/, 'string').replace(/^(true|false)\b/, 'boolean'));
  return [
    ...wide.split('|').filter((type) => !covers(type)),
    ...constraints.filter((each) => !wideConstraints.some((other) => implies(other, each))),
  ];
}

function implies(constraint: string, other: string): boolean {
  const [, name, bound] = /^(.*[<>]=)(-?[\d.]+)$/.exec(constraint) ?? [];
  const [, otherName, otherBound] = /^(.*[<>]=)(-?[\d.]+)$/.exec(other) ?? [];
  if (name === undefined || name !== otherName) return constraint === other;
  return name.endsWith('<=') ? Number(bound) <= Number(otherBound) : Number(bound) >= Number(otherBound);
}

/**
 * The operations and schemas that the newest release in the portal's changelog breaks: those in backticks in its entries that
 * start with "Breaking:" after their label.
 */
export function announcedBreakages(changelog: string): readonly string[] {
  const [, newest = ''] = changelog.split(/^## /m);
  return [...newest.matchAll(/^- (?:\*\*API · \w+\*\* )?Breaking: .*$/gm)].flatMap(([entry]) =>
    [...entry.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
}
