/**
 * Plans a directory search. Each criterion can list the numbers of its resources, and can test (probe) one number.
 *
 * The criterion with the fewest resources is listed, and the others test each of its resources. So the first page of a common specialty
 * takes about as many tests as it has results, and a rare name as many as there are resources with it.
 */
import { directoryParameter } from '../../catalog/fhir/directory-resources.ts';
import { type DirectoryType, directoryTypes } from '../../catalog/fhir/directory-types.ts';
import type { Criterion } from '../../fhir/query/criteria.ts';
import { type DateQuery, dateMatches } from '../../fhir/values/date-comparison.ts';
import {
  eachLink,
  type Links,
  type PublicationIndex,
  type RidRange,
  someLink,
} from '../publication/publication-index.ts';
import { elementNumber, parameterElements } from '../publication/publication-schema.ts';
import { readRidList } from '../publication/rid-list.ts';
import { RidSet } from '../publication/rid-set.ts';
import { joined, literal, type Sql, some, sql } from '../publication/sql.ts';
import type { Circle, DirectoryCriterion, OwnCriterion } from './directory-criterion.ts';
import { distance, metersOfDegree } from './distance.ts';
import { textCondition, tokenCondition } from './value-conditions.ts';

/** A criterion for the resources of one type, ready to be listed or tested. */
interface Plan {
  /** Estimated number of resources that satisfy the criterion. */
  readonly estimate: number;
  /** Lists the numbers of the resources that satisfy the criterion, ascending; absent if testing is always faster. */
  readonly list?: (() => Uint32Array) | undefined;
  readonly probe: (rid: number) => boolean;
}

/** Estimate for a criterion that is tested only, never listed. */
const unknown = 1e9;

/**
 * Generates the numbers of a type's resources that satisfy all criteria, ascending; each is searched for when it is requested.
 *
 * @param listedOnly whether to leave out inactive resources.
 * @param after skips numbers up to this one.
 */
export function* matchesOf(
  index: PublicationIndex,
  type: DirectoryType,
  criteria: readonly DirectoryCriterion[],
  listedOnly: boolean,
  after = 0,
): Generator<number> {
  const plans = criteria.map((criterion) => planOf(index, type, criterion));
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

function planOf(index: PublicationIndex, type: DirectoryType, criterion: DirectoryCriterion): Plan {
  switch (criterion.kind) {
    case 'id': {
      const rids = index.ridsOf(type, criterion.anyOf);
      const plan = listOf(index.range(type), rids.length, (add) => rids.forEach(add));
      return criterion.negated ? negated(plan) : plan;
    }
    case 'token': {
      const { numbers } = parameterElements(type, criterion.name);
      const plan = planValues(index, type, numbers, some(criterion.anyOf.map(tokenCondition)));
      return criterion.negated ? negated(plan) : plan;
    }
    case 'text': {
      const texts = parameterElements(type, criterion.name).numbers.map((number) => number + 1);
      return planValues(index, type, texts, textCondition('starts-with', criterion.anyOf));
    }
    case 'string': {
      const { numbers } = parameterElements(type, criterion.name);
      return planValues(index, type, numbers, textCondition(criterion.comparison, criterion.anyOf));
    }
    case 'date':
      return criterion.name === '_lastUpdated'
        ? planUpdated(index, type, criterion.anyOf)
        : planDates(index, type, elementNumber(type, criterion.name), criterion.anyOf);
    case 'reference':
      return planReferences(index, type, criterion);
    case 'near':
      return planNear(index, type, criterion.anyOf);
    case 'missing':
      return planMissing(index, type, criterion);
    case 'chain':
      return planChain(index, type, criterion);
    case 'has':
      return planHas(index, type, criterion);
  }
}

function negated({ probe }: Plan): Plan {
  return { estimate: unknown, probe: (rid) => !probe(rid) };
}

function planUpdated(index: PublicationIndex, type: DirectoryType, anyOf: readonly DateQuery[]): Plan {
  const updated = index.updated(type);
  const { first } = index.range(type);
  const probe = (rid: number) => {
    const at = updated[rid - first] ?? 0;
    return anyOf.some((asked) => dateMatches(asked, [at, at + 1]));
  };
  return { estimate: unknown, probe };
}

/** Plans a criterion on references. An ID without a type stands for every type that the reference may lead to. */
function planReferences(
  index: PublicationIndex,
  type: DirectoryType,
  { name, anyOf }: Extract<Criterion, { readonly kind: 'reference' }>,
): Plan {
  const element = elementNumber(type, name);
  const links = index.links(type, element);
  const types = directoryTypes.filter((each) => directoryParameter(type, name)?.targets?.includes(each));
  const targets = anyOf.flatMap((asked) => {
    const [target, id] = asked.includes('/') ? asked.split('/') : [undefined, asked];
    const of = types.filter((each) => target === undefined || each === target);
    return of.flatMap((each) => index.ridsOf(each, [id ?? '']));
  });
  const back = index.backlinks(type, element);
  return {
    ...listOf(index.range(type), targets.length * fanOut(index, type, name), (add) =>
      followLinks(back, targets, add),
    ),
    probe: (rid) => someLink(links, rid, (target) => targets.includes(target)),
  };
}

function planMissing(
  index: PublicationIndex,
  type: DirectoryType,
  { name, missing }: Extract<Criterion, { readonly kind: 'missing' }>,
): Plan {
  // `_id` and `_lastUpdated` are not in the table; every resource of the directory has both.
  if (directoryParameter(type, name) === undefined) return { estimate: unknown, probe: () => !missing };
  const present = index.present(type);
  const { first } = index.range(type);
  const { bit } = parameterElements(type, name);
  return { estimate: unknown, probe: (rid) => (((present[rid - first] ?? 0) & bit) === 0) === missing };
}

/** Calls `add` for each number of a set, in any order, possibly more than once. */
type Numbers = (add: (rid: number) => void) => void;

/** A plan from a set of numbers, which is collected when it is first used. */
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
  // The list of a single value is in order already.
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

/** Average number of resources that refer to one target by a parameter. */
function fanOut(index: PublicationIndex, type: DirectoryType, parameter: string): number {
  const { first, last: end, targets } = index.backlinks(type, elementNumber(type, parameter));
  return targets.length / Math.max(1, end - first + 1);
}

function planChain(
  index: PublicationIndex,
  type: DirectoryType,
  { name, anyOf }: Extract<OwnCriterion, { readonly kind: 'chain' }>,
): Plan {
  const element = elementNumber(type, name);
  const links = index.links(type, element);
  const inner = anyOf.map(({ type: target, criterion }) => ({
    range: index.range(target),
    plan: planOf(index, target, criterion),
  }));
  const probe = (rid: number) =>
    someLink(links, rid, (target) =>
      inner.some(({ range, plan }) => range.first <= target && target <= range.last && plan.probe(target)),
    );
  const lists = inner.flatMap(({ plan }) => (plan.list === undefined ? [] : [plan.list]));
  if (lists.length < inner.length) return { estimate: unknown, probe };
  const estimate = inner.reduce((all, { plan }) => all + plan.estimate, 0) * fanOut(index, type, name);
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
  { type: source, name, criterion }: Extract<OwnCriterion, { readonly kind: 'has' }>,
): Plan {
  const element = elementNumber(source, name);
  const { estimate, list, probe: holds } = planOf(index, source, criterion);
  const back = index.backlinks(source, element);
  const probe = (rid: number) => someLink(back, rid, holds);
  if (list === undefined) return { estimate: unknown, probe };
  return {
    ...listOf(index.range(type), estimate, (add) => followLinks(index.links(source, element), list(), add)),
    probe,
  };
}

function planNear(index: PublicationIndex, type: DirectoryType, circles: readonly Circle[]): Plan {
  const places = index.triples(elementNumber(type, 'near'));
  const found: number[] = [];
  for (const circle of circles) {
    // Comparing latitudes first excludes most places, and is not affected by the date line.
    const band = (circle.meters / metersOfDegree) * 1.001;
    places.withFirstBetween(circle.latitude - band, circle.latitude + band, (at) => {
      if (distance(circle, places.first(at), places.second(at)) <= circle.meters) found.push(places.rid(at));
    });
  }
  return listOf(index.range(type), found.length, (add) => found.forEach(add));
}
