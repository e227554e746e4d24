/**
 * Plans a directory search: each condition is a set of resource numbers that can be listed, and a probe that decides on one number.
 *
 * The condition with the fewest resources is listed, and the others are probed: the first page of a common specialty needs as many
 * looks as it shows, and a rare name as many as have it.
 */
import { type DirectoryType, directoryTypes } from '../../catalog/fhir/directory-resources.ts';
import type { TokenQuery } from '../search/criterion.ts';
import { type DateQuery, dateMatches } from '../search/date-comparison.ts';
import { fold } from '../search/fold.ts';
import { eachLink, type Links, type PublicationIndex, type RidRange, someLink } from './publication-index.ts';
import { elementNumber, parameterElements } from './publication-schema.ts';
import { readRidList } from './rid-list.ts';
import { RidSet } from './rid-set.ts';
import type { Circle, SearchCondition, TextComparison } from './search-condition.ts';
import { every, joined, literal, type Sql, some, sql } from './sql.ts';

/** A condition on the resources of one type. */
interface Plan {
  /** Resources that satisfy it, about. */
  readonly estimate: number;
  /** Those that do, rising; absent where only a probe makes sense. */
  readonly list?: (() => Uint32Array) | undefined;
  readonly probe: (rid: number) => boolean;
}

/** Stands for the number of resources of a plan that is never the one listed. */
const unknown = 1e9;

/**
 * The numbers of a type's resources that satisfy all conditions, rising, each looked for when it is asked for.
 *
 * @param listedOnly whether inactive ones are left out.
 * @param after numbers up to this one are left out.
 */
export function* matchesOf(
  index: PublicationIndex,
  type: DirectoryType,
  conditions: readonly SearchCondition[],
  listedOnly: boolean,
  after = 0,
): Generator<number> {
  const plans = conditions.map((condition) => planOf(index, type, condition));
  const listed = plans.reduce<Plan | undefined>(
    (best, plan) =>
      plan.list !== undefined && (best === undefined || plan.estimate < best.estimate) ? plan : best,
    undefined,
  );
  const probes = plans.filter((plan) => plan !== listed).map(({ probe }) => probe);
  if (listedOnly) probes.push(index.isListed(type));
  for (const rid of listed?.list?.() ?? numbersOf(index.range(type))) {
    if (rid > after && probes.every((probe) => probe(rid))) yield rid;
  }
}

function* numbersOf({ first, last }: RidRange): Generator<number> {
  for (let rid = first; rid <= last; rid += 1) yield rid;
}

function planOf(index: PublicationIndex, type: DirectoryType, condition: SearchCondition): Plan {
  switch (condition.kind) {
    case 'ids': {
      const rids = index.ridsOf(type, condition.anyOf);
      return listOf(index.range(type), rids.length, (add) => rids.forEach(add));
    }
    case 'updated': {
      const updated = index.updated(type);
      const { first } = index.range(type);
      const probe = (rid: number) => {
        const at = updated[rid - first] ?? 0;
        return condition.anyOf.some((asked) => dateMatches(asked, [at, at + 1]));
      };
      return { estimate: unknown, probe };
    }
    case 'tokens': {
      const { numbers } = parameterElements(type, condition.parameter);
      return planValues(index, type, numbers, some(condition.anyOf.map(tokenCondition)));
    }
    case 'texts': {
      const { numbers } = parameterElements(type, condition.parameter);
      const of = condition.of === 'values' ? numbers : numbers.map((number) => number + 1);
      return planValues(index, type, of, textCondition(condition.comparison, condition.anyOf));
    }
    case 'dates':
      return planDates(index, type, elementNumber(type, condition.parameter), condition.anyOf);
    case 'references': {
      const links = index.links(type, elementNumber(type, condition.parameter));
      const targets = condition.anyOf.flatMap((name) => {
        const [target = '', id = ''] = name.split('/');
        const known = directoryTypes.find((each) => each === target);
        return known === undefined ? [] : index.ridsOf(known, [id]);
      });
      const estimate = targets.length * fanOut(index, type, condition.parameter);
      const back = index.backlinks(type, elementNumber(type, condition.parameter));
      return {
        ...listOf(index.range(type), estimate, (add) => followLinks(back, targets, add)),
        probe: (rid) => someLink(links, rid, (target) => targets.includes(target)),
      };
    }
    case 'near':
      return planNear(index, type, condition.anyOf);
    case 'missing': {
      const present = index.present(type);
      const { first } = index.range(type);
      const { bit } = parameterElements(type, condition.parameter);
      return {
        estimate: unknown,
        probe: (rid) => (((present[rid - first] ?? 0) & bit) === 0) === condition.missing,
      };
    }
    case 'not': {
      const { probe } = planOf(index, type, condition.condition);
      return { estimate: unknown, probe: (rid) => !probe(rid) };
    }
    case 'chain':
      return planChain(index, type, condition);
    case 'has':
      return planHas(index, type, condition);
  }
}

/** Calls `add` for each number of a set, in any order, perhaps more than once. */
type Numbers = (add: (rid: number) => void) => void;

/** A plan by a set of numbers, which is made once it is needed. */
function listOf(range: RidRange, estimate: number, numbers: Numbers): Plan {
  let made: RidSet | undefined;
  const set = () => {
    if (made === undefined) {
      const fresh = new RidSet(range);
      numbers((rid) => fresh.add(rid));
      made = fresh;
    }
    return made;
  };
  return { estimate, list: () => set().all(), probe: (rid) => set().has(rid) };
}

function followLinks(links: Links, from: Iterable<number>, add: (rid: number) => void): void {
  for (const rid of from) eachLink(links, rid, add);
}

function tokenCondition({ system, code }: TokenQuery): Sql {
  const conditions: Sql[] = [];
  if (code !== undefined) conditions.push(sql`folded = ${code.toLowerCase()}`);
  if (system !== undefined) conditions.push(sql`sid IN (SELECT sid FROM system WHERE system = ${system})`);
  return sql`(${every(conditions)})`;
}

/** Greater than every text that begins with a text. */
const last = '\u{10FFFF}';

function textCondition(comparison: TextComparison, texts: readonly string[]): Sql {
  const alternatives = texts.flatMap((text): readonly Sql[] => {
    const folded = fold(text);
    // Nothing but accents is left of a text that asks for nothing.
    if (folded === '') return [];
    if (comparison === 'exact') return [sql`(folded = ${folded} AND coalesce(exact, folded) = ${text})`];
    if (comparison === 'starts-with') return [sql`(folded >= ${folded} AND folded < ${folded + last})`];
    const contains = sql`instr(folded, ${folded}) > 0`;
    const trigrams = trigramsOf(folded);
    if (trigrams === undefined) return [contains];
    return [sql`(vid IN (SELECT rowid FROM value_text WHERE value_text MATCH ${trigrams}) AND ${contains})`];
  });
  return some(alternatives);
}

/** The trigrams of a text, all required, each as one quoted phrase; undefined for a text of fewer than three characters. */
function trigramsOf(folded: string): string | undefined {
  const letters = Array.from(folded);
  if (letters.length < 3) return undefined;
  const trigrams = letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''));
  return [...new Set(trigrams)].map((each) => `"${each.replaceAll('"', '""')}"`).join(' AND ');
}

function planValues(
  index: PublicationIndex,
  type: DirectoryType,
  elements: readonly number[],
  condition: Sql,
): Plan {
  const of = joined(elements.map(literal), ', ', 'NULL');
  const found = index.all(sql`SELECT resources, rids FROM value WHERE element IN (${of}) AND ${condition}`);
  const estimate = found.reduce((all, { resources }) => all + Number(resources), 0);
  const only = found.length === 1 ? found[0]?.rids : undefined;
  const numbers: Numbers = (add) => {
    for (const { resources, rids } of found) {
      if (rids instanceof Uint8Array) readRidList(rids, Number(resources)).forEach(add);
      else add(Number(rids));
    }
  };
  const plan = listOf(index.range(type), estimate, numbers);
  // The list of one value is already in order.
  return only instanceof Uint8Array ? { ...plan, list: () => readRidList(only, estimate) } : plan;
}

function planDates(
  index: PublicationIndex,
  type: DirectoryType,
  element: number,
  anyOf: readonly DateQuery[],
): Plan {
  const spans = index.triples(element);
  const matches = (at: number) =>
    anyOf.some((asked) => dateMatches(asked, [spans.first(at), spans.second(at)]));
  return {
    ...listOf(index.range(type), spans.length, (add) => {
      for (let at = 0; at < spans.length; at += 1) if (matches(at)) add(spans.rid(at));
    }),
    probe: (rid) => {
      for (let at = spans.from(rid); spans.rid(at) === rid; at += 1) if (matches(at)) return true;
      return false;
    },
  };
}

/** Resources that refer to one target by a parameter, on average. */
function fanOut(index: PublicationIndex, type: DirectoryType, parameter: string): number {
  const { first, last: end, targets } = index.backlinks(type, elementNumber(type, parameter));
  return targets.length / Math.max(1, end - first + 1);
}

function planChain(
  index: PublicationIndex,
  type: DirectoryType,
  { parameter, anyOf }: Extract<SearchCondition, { readonly kind: 'chain' }>,
): Plan {
  const element = elementNumber(type, parameter);
  const links = index.links(type, element);
  const inner = anyOf.map(({ type: target, condition }) => ({
    range: index.range(target),
    plan: planOf(index, target, condition),
  }));
  const probe = (rid: number) =>
    someLink(links, rid, (target) =>
      inner.some(({ range, plan }) => range.first <= target && target <= range.last && plan.probe(target)),
    );
  const lists = inner.flatMap(({ plan }) => (plan.list === undefined ? [] : [plan.list]));
  if (lists.length < inner.length) return { estimate: unknown, probe };
  const estimate = inner.reduce((all, { plan }) => all + plan.estimate, 0) * fanOut(index, type, parameter);
  return {
    ...listOf(index.range(type), estimate, (add) => {
      for (const list of lists) followLinks(index.backlinks(type, element), list(), add);
    }),
    probe,
  };
}

function planHas(
  index: PublicationIndex,
  type: DirectoryType,
  { type: source, parameter, condition }: Extract<SearchCondition, { readonly kind: 'has' }>,
): Plan {
  const element = elementNumber(source, parameter);
  const { estimate, list, probe: holds } = planOf(index, source, condition);
  const back = index.backlinks(source, element);
  const probe = (rid: number) => someLink(back, rid, holds);
  if (list === undefined) return { estimate: unknown, probe };
  return {
    ...listOf(index.range(type), estimate, (add) => followLinks(index.links(source, element), list(), add)),
    probe,
  };
}

/** Mean radius of the earth (IUGG), meters. */
const earthRadius = 6_371_008.8;
const metersOfDegree = (Math.PI * earthRadius) / 180;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The great-circle distance between two places, meters (haversine formula). */
export function distance(
  { latitude, longitude }: Pick<Circle, 'latitude' | 'longitude'>,
  north: number,
  east: number,
): number {
  const half = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2;
  const chord =
    half(north - latitude) + Math.cos(radians(latitude)) * Math.cos(radians(north)) * half(east - longitude);
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(chord)));
}

function planNear(index: PublicationIndex, type: DirectoryType, circles: readonly Circle[]): Plan {
  const places = index.triples(elementNumber(type, 'near'));
  const found: number[] = [];
  for (const circle of circles) {
    // A band of latitude is enough to leave most places out; it crosses no date line.
    const band = (circle.meters / metersOfDegree) * 1.001;
    places.withFirstBetween(circle.latitude - band, circle.latitude + band, (at) => {
      if (distance(circle, places.first(at), places.second(at)) <= circle.meters) found.push(places.rid(at));
    });
  }
  return listOf(index.range(type), found.length, (add) => found.forEach(add));
}
