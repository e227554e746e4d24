/** Requests by one member's application for everything that another member's record contains, and a scan of the responses for it. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import { patientAccessTypes, servedResource } from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { searchValues } from '../../lambdas/fhir/values/values.ts';
import type { SyntheticMember } from '../../ops/generator/members.ts';
import type { EventParts } from '../fhir/gateway-event.ts';

export type Call = (path: string, parts?: Partial<EventParts>) => Promise<APIGatewayProxyResult>;

interface Attempt {
  readonly path: string;
  readonly parts: Partial<EventParts>;
}

/** Texts that only the victim's record has: resource IDs and identifiers. */
function marksOf(victim: SyntheticMember, attacker: SyntheticMember): ReadonlySet<string> {
  const own = new Set(attacker.resources.flatMap(({ json }) => words(json)));
  const identifiers = victim.resources.flatMap(({ json }) =>
    [...json.matchAll(/"value":"([\w.-]{8,})"/g)].map(([, value = '']) => value),
  );
  const ids = victim.resources.map(({ id }) => id);
  return new Set([victim.patientId, ...ids, ...identifiers].filter((mark) => !own.has(mark)));
}

const words = (text: string) => text.split(/[^\w.-]+/);

/** Value of a date parameter that every resource with a date has. */
const anyDate = 'ge1900-01-01';

/**
 * Searches of an attack: each parameter with each include, or each parameter once and each include once. An include adds resources
 * according to those found, whichever parameter found them, so for each include the parameter that finds most is enough.
 */
export type Searches = 'parameters with includes' | 'parameters and includes';

/**
 * Lists the requests of an attack: of each type a read, searches by each parameter, includes and pages; and the operations. All values are
 * from the victim's record.
 */
async function attempts(
  victim: SyntheticMember,
  asVictim: Call,
  searches: Searches,
): Promise<readonly Attempt[]> {
  const found: Attempt[] = [];
  for (const type of patientAccessTypes) {
    const { interactions, includes, revIncludes } = servedResource(type);
    const ofType = victim.resources.filter(({ resourceType }) => resourceType === type);
    const [first] = ofType;
    if (first === undefined) continue;
    found.push({ path: `/${type}/{id}`, parts: { id: first.id } });
    if (!interactions.includes('search-type')) continue;
    const path = `/${type}`;
    const withIncludes = [
      ...(includes.length > 0 ? [{ _include: `${type}:*` }] : []),
      ...revIncludes.map((value) => ({ _revinclude: value })),
    ];
    const asked: readonly (readonly [string, string])[] = [['_id', first.id], ...askedValues(ofType)];
    const widest = asked.find(([, value]) => value === anyDate);
    const isEach = searches === 'parameters with includes' || widest === undefined;
    const included = isEach ? asked : asked.filter((each) => each === asked[0] || each === widest);
    const search = (by: typeof asked, include: object) =>
      by.map(([name, value]) => ({ path, parts: { query: { [name]: value, ...include } } }));
    found.push(...search(asked, {}), ...withIncludes.flatMap((include) => search(included, include)));
    const page = JSON.parse((await asVictim(path, { query: { _count: '1' } })).body);
    const next = page.link?.find(({ relation }: { relation: string }) => relation === 'next')?.url;
    const cursor = next && new URL(next).searchParams.get('_cursor');
    if (cursor) found.push({ path, parts: { query: { _cursor: cursor } } });
  }
  const { patientId } = victim;
  found.push(
    { path: '/Patient/{id}/{operation}', parts: { id: patientId, operation: '$everything' } },
    { path: '/DocumentReference/{id}', parts: { id: '$docref', query: { patient: patientId } } },
  );
  return found;
}

/** One value of each search parameter, from the resources. */
function askedValues(resources: SyntheticMember['resources']): readonly (readonly [string, string])[] {
  const values = new Map<string, string>();
  const escaped = (text: string) => text.replace(/[\\,$|]/g, '\\$&');
  for (const { json } of resources.slice(0, 20)) {
    const { tokens, dates, strings, references } = searchValues(JSON.parse(json));
    for (const [name, [token]] of Object.entries(tokens)) if (token) values.set(name, escaped(token[1]));
    for (const [name, [text]] of Object.entries(strings)) if (text) values.set(name, escaped(text[1]));
    for (const [name, [reference]] of Object.entries(references)) if (reference) values.set(name, reference);
    for (const name of Object.keys(dates)) values.set(name, anyDate);
  }
  return [...values];
}

/**
 * Makes all requests as the attacker.
 *
 * @returns the number of requests, and the texts of the victim's record in the responses. Texts that the request itself has are left out,
 * since links and issues repeat them.
 */
export async function attack(
  victim: SyntheticMember,
  attacker: SyntheticMember,
  asVictim: Call,
  asAttacker: Call,
  searches: Searches = 'parameters with includes',
): Promise<{ readonly calls: number; readonly leaks: readonly string[] }> {
  const marks = marksOf(victim, attacker);
  const all = await attempts(victim, asVictim, searches);
  const leaks: string[] = [];
  for (const { path, parts } of all) {
    const { body, headers } = await asAttacker(path, parts);
    const sent = new Set(words(JSON.stringify(parts)));
    const leaked = words(`${body} ${JSON.stringify(headers)}`).filter(
      (word) => marks.has(word) && !sent.has(word),
    );
    if (leaked.length > 0) leaks.push(`${path} ${JSON.stringify(parts)}: ${leaked[0]}`);
  }
  return { calls: all.length, leaks };
}
