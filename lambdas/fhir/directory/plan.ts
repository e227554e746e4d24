/**
 * Plans a directory search: from conditions to one SQL statement on a publication (`publication-schema.ts`).
 *
 * Each condition is a set of resource numbers that SQLite can enumerate, and a probe that decides on one number by an index.
 * The condition with the fewest resources is enumerated, the others are probed: the first page of a common specialty needs
 * as many rows as it shows, and a rare name needs as many as have it.
 */
import { type DirectoryType, directoryParameter } from '../../catalog/directory-resources.ts';
import type { TokenQuery } from '../search/criterion.ts';
import type { DateQuery } from '../search/date-comparison.ts';
import { fold } from '../search/fold.ts';
import { parameterNumbers } from './publication-schema.ts';
import type { Circle, SearchCondition, TextComparison } from './search-condition.ts';
import { every, joined, literal, type Sql, type SqlValue, some, sql, union } from './sql.ts';

/** Reads rows of one publication. Adapter: `lambdas/sqlite/publication-file.ts`. */
export interface PublicationRows {
  /** @throws PublicationDamaged for a file that can't be read. */
  all(statement: Sql): readonly Readonly<Record<string, SqlValue>>[];
}

/** A condition, as it can be enumerated and probed. */
interface Plan {
  /** Resources that satisfy it, about. */
  readonly estimate: number;
  /** `SELECT rid …`; absent where only a probe makes sense. */
  readonly set?: Sql | undefined;
  /** Whether `set` may have a number twice. */
  readonly repeats?: boolean;
  /** Whether the resource whose number the expression is satisfies it. */
  readonly probe: (rid: Sql) => Sql;
}

/** Values that are written into a statement as numbers; more are looked up by a subquery. */
const mostValues = 200;

/** The part of a statement that all forms share: `FROM … WHERE …`, with the resource's number as `d.rid`. */
export interface Matches {
  readonly from: Sql;
  readonly where: Sql;
}

/**
 * The resources of a type that satisfy all conditions.
 *
 * @param listedOnly whether inactive ones are left out.
 */
export function planMatches(
  rows: PublicationRows,
  type: DirectoryType,
  conditions: readonly SearchCondition[],
  listedOnly: boolean,
): Matches {
  // The same search is the same text, which the reader has prepared once.
  aliases = 0;
  const plans = conditions.map((condition) => planOf(rows, condition));
  const enumerable = plans.filter((plan) => plan.set !== undefined);
  const driver = enumerable.reduce<Plan | undefined>(
    (best, plan) => (best === undefined || plan.estimate < best.estimate ? plan : best),
    undefined,
  );
  const rid = literal('d.rid');
  const probes = plans.filter((plan) => plan !== driver).map((plan) => plan.probe(rid));
  const listed = listedOnly ? [literal('NOT EXISTS (SELECT 1 FROM unlisted u WHERE u.rid = d.rid)')] : [];
  const set =
    driver?.set ??
    sql`SELECT rid FROM resource WHERE rid BETWEEN (SELECT first FROM type WHERE type = ${type}) AND (SELECT last FROM type WHERE type = ${type})`;
  const distinct = driver?.repeats === true ? sql`SELECT DISTINCT rid FROM (${set})` : set;
  return { from: sql`(${distinct}) AS d`, where: every([...probes, ...listed]) };
}

let aliases = 0;
/** A table's name within one statement. */
function alias(): Sql {
  aliases += 1;
  return literal(`t${aliases}`);
}

function planOf(rows: PublicationRows, condition: SearchCondition): Plan {
  switch (condition.kind) {
    case 'ids': {
      const ids = joined(
        condition.anyOf.map((id) => sql`${id}`),
        ', ',
        'NULL',
      );
      return probedBySet(
        sql`SELECT rid FROM resource WHERE type = ${condition.type} AND id IN (${ids})`,
        condition.anyOf.length,
      );
    }
    case 'updated':
      return planUpdated(condition.type, condition.anyOf);
    case 'tokens': {
      const { values } = parameterNumbers(condition.type, condition.parameter);
      return planValues(rows, some(condition.anyOf.map((token) => tokenCondition(values, token))));
    }
    case 'texts': {
      const numbers = parameterNumbers(condition.type, condition.parameter);
      const param = condition.of === 'values' ? numbers.values : numbers.texts;
      return planValues(rows, textCondition(param, condition.comparison, condition.anyOf));
    }
    case 'dates': {
      const param = parameterNumbers(condition.type, condition.parameter).values;
      const matches = some(condition.anyOf.map((asked) => dateCondition(asked, 'start', 'finish')));
      return {
        estimate: 1e9,
        set: sql`SELECT rid FROM span WHERE param = ${param} AND ${matches}`,
        repeats: true,
        probe: (rid) =>
          sql`EXISTS (SELECT 1 FROM span WHERE param = ${param} AND span.rid = ${rid} AND ${matches})`,
      };
    }
    case 'references':
      return planReferences(rows, condition.type, condition.parameter, condition.anyOf);
    case 'near':
      return planNear(rows, condition.anyOf);
    case 'missing':
      return planMissing(condition.type, condition.parameter, condition.missing);
    case 'not': {
      const inner = planOf(rows, condition.condition);
      return { estimate: 1e9, probe: (rid) => sql`NOT ${inner.probe(rid)}` };
    }
    case 'chain':
      return planChain(rows, condition.type, condition.parameter, condition.anyOf);
    case 'has':
      return planHas(rows, condition.type, condition.parameter, condition.condition);
  }
}

/** SQLite makes the set once for a statement and looks each number up in it. */
function probedBySet(set: Sql, estimate: number, repeats = false): Plan {
  return { estimate, set, repeats, probe: (rid) => sql`${rid} IN (${set})` };
}

function tokenCondition(param: number, { system, code }: TokenQuery): Sql {
  const conditions = [sql`param = ${param}`];
  if (code !== undefined) conditions.push(sql`folded = ${code.toLowerCase()}`);
  if (system !== undefined) conditions.push(sql`system = ${system}`);
  return sql`(${every(conditions)})`;
}

/** Greater than every text that begins with a text. */
const last = '\u{10FFFF}';

function textCondition(param: number, comparison: TextComparison, texts: readonly string[]): Sql {
  const alternatives = texts.flatMap((text): readonly Sql[] => {
    const folded = fold(text);
    // Nothing but accents is left of a text that asks for nothing.
    if (folded === '') return [];
    if (comparison === 'exact') return [sql`(folded = ${folded} AND exact = ${text})`];
    if (comparison === 'starts-with') return [sql`(folded >= ${folded} AND folded < ${folded + last})`];
    // The trigram index finds three characters or more.
    if (Array.from(folded).length < 3) return [sql`instr(folded, ${folded}) > 0`];
    const phrase = `"${folded.replaceAll('"', '""')}"`;
    return [sql`vid IN (SELECT rowid FROM value_text WHERE value_text MATCH ${phrase})`];
  });
  return sql`param = ${param} AND ${some(alternatives)}`;
}

function planValues(rows: PublicationRows, condition: Sql): Plan {
  const found = rows.all(sql`SELECT vid, resources FROM value WHERE ${condition} LIMIT ${mostValues + 1}`);
  if (found.length > mostValues) {
    const [sum] = rows.all(sql`SELECT sum(resources) AS resources FROM value WHERE ${condition}`);
    const set = sql`SELECT p.rid FROM value v CROSS JOIN posting p ON p.vid = v.vid WHERE v.vid IN (SELECT vid FROM value WHERE ${condition})`;
    return probedBySet(set, Number(sum?.resources ?? 0), true);
  }
  const estimate = found.reduce((all, each) => all + Number(each.resources), 0);
  const vids = literal(`(${found.map(({ vid }) => String(Number(vid))).join(', ')})`);
  const one = found.length === 1 ? sql`vid = ${Number(found[0]?.vid)}` : sql`vid IN ${vids}`;
  return {
    estimate,
    set: sql`SELECT rid FROM posting WHERE ${one}`,
    repeats: found.length > 1,
    probe: (rid) => {
      const posting = alias();
      return sql`EXISTS (SELECT 1 FROM posting ${posting} WHERE ${posting}.${one} AND ${posting}.rid = ${rid})`;
    },
  };
}

function planUpdated(type: DirectoryType, anyOf: readonly DateQuery[]): Plan {
  const matches = some(anyOf.map((asked) => dateCondition(asked, 'updated', 'updated + 1')));
  return {
    estimate: 1e9,
    set: sql`SELECT rid FROM resource WHERE type = ${type} AND ${matches}`,
    probe: (rid) => {
      const resource = alias();
      const own = some(
        anyOf.map((asked) =>
          dateCondition(asked, `${resource.text}.updated`, `${resource.text}.updated + 1`),
        ),
      );
      return sql`EXISTS (SELECT 1 FROM resource ${resource} WHERE ${resource}.rid = ${rid} AND ${own})`;
    },
  };
}

/** Beyond every date: stands for an open end. */
const never = 9e15;

/** The rules of `search/date-comparison.ts` on two columns. */
function dateCondition({ prefix, range }: DateQuery, startColumn: string, endColumn: string): Sql {
  const start = literal(`coalesce(${startColumn}, -${never})`);
  const end = literal(`coalesce(${endColumn}, ${never})`);
  const [from, to] = [range[0] ?? -never, range[1] ?? never];
  const within = sql`(${start} >= ${from} AND ${end} <= ${to})`;
  const above = sql`${end} > ${to}`;
  const below = sql`${start} < ${from}`;
  return {
    eq: within,
    ne: sql`NOT ${within}`,
    gt: above,
    lt: below,
    ge: sql`(${above} OR ${within})`,
    le: sql`(${below} OR ${within})`,
    sa: sql`${start} >= ${to}`,
    eb: sql`${end} <= ${from}`,
    ap: sql`(${start} < ${to} AND ${end} > ${from})`,
  }[prefix];
}

function planReferences(
  rows: PublicationRows,
  type: DirectoryType,
  parameter: string,
  names: readonly string[],
): Plan {
  const param = parameterNumbers(type, parameter).values;
  const found = names.flatMap((name) => {
    const [target = '', id = ''] = name.split('/');
    return rows.all(sql`SELECT rid FROM resource WHERE type = ${target} AND id = ${id}`);
  });
  const targets = literal(`(${found.map(({ rid }) => String(Number(rid))).join(', ')})`);
  return {
    estimate: found.length * fanOut(rows, param),
    set: sql`SELECT rid FROM link WHERE param = ${param} AND target IN ${targets}`,
    repeats: found.length > 1,
    probe: (rid) => {
      const link = alias();
      return sql`EXISTS (SELECT 1 FROM link_of ${link} WHERE ${link}.param = ${param} AND ${link}.rid = ${rid} AND ${link}.target IN ${targets})`;
    },
  };
}

/** Resources that refer to one target by a parameter, on average. */
function fanOut(rows: PublicationRows, param: number): number {
  const [found] = rows.all(sql`SELECT links, targets FROM statistic WHERE param = ${param}`);
  return Number(found?.links ?? 0) / Math.max(1, Number(found?.targets ?? 1));
}

function planChain(
  rows: PublicationRows,
  type: DirectoryType,
  parameter: string,
  conditions: readonly SearchCondition[],
): Plan {
  const param = parameterNumbers(type, parameter).values;
  const inner = conditions.map((condition) => planOf(rows, condition));
  const sets = inner.flatMap(({ set }) => (set === undefined ? [] : [set]));
  const probe = (rid: Sql) => {
    const link = alias();
    const targets = some(inner.map((plan) => plan.probe(sql`${link}.target`)));
    return sql`EXISTS (SELECT 1 FROM link_of ${link} WHERE ${link}.param = ${param} AND ${link}.rid = ${rid} AND ${targets})`;
  };
  if (sets.length < inner.length) return { estimate: 1e9, probe };
  const estimate = inner.reduce((all, plan) => all + plan.estimate, 0) * fanOut(rows, param);
  const set = sql`SELECT rid FROM link WHERE param = ${param} AND target IN (${union(sets)})`;
  return { estimate, set, repeats: true, probe };
}

function planHas(
  rows: PublicationRows,
  type: DirectoryType,
  parameter: string,
  condition: SearchCondition,
): Plan {
  const param = parameterNumbers(type, parameter).values;
  const inner = planOf(rows, condition);
  const probe = (rid: Sql) => {
    const link = alias();
    return sql`EXISTS (SELECT 1 FROM link ${link} WHERE ${link}.param = ${param} AND ${link}.target = ${rid} AND ${inner.probe(sql`${link}.rid`)})`;
  };
  if (inner.set === undefined) return { estimate: 1e9, probe };
  const set = sql`SELECT target AS rid FROM link_of WHERE param = ${param} AND link_of.rid IN (${inner.set})`;
  return { estimate: inner.estimate, set, repeats: true, probe };
}

function planMissing(type: DirectoryType, parameter: string, missing: boolean): Plan {
  const isSpecial = directoryParameter(type, parameter)?.type === 'special';
  const { bit } = parameterNumbers(type, parameter);
  return {
    estimate: 1e9,
    probe: (rid) => {
      const resource = alias();
      const present = isSpecial
        ? sql`EXISTS (SELECT 1 FROM position WHERE position.rid = ${rid})`
        : sql`EXISTS (SELECT 1 FROM resource ${resource} WHERE ${resource}.rid = ${rid} AND ${resource}.present & ${bit} <> 0)`;
      return missing ? sql`NOT ${present}` : present;
    },
  };
}

/** Mean radius of the earth (IUGG), meters. */
const earthRadius = 6_371_008.8;
const metersOfDegree = (Math.PI * earthRadius) / 180;

/** The great-circle distance from a place to a row of `position`, meters (haversine formula). */
export function distanceFrom(
  { latitude, longitude }: Pick<Circle, 'latitude' | 'longitude'>,
  table: Sql,
): Sql {
  const lat = sql`radians(${table}.latitude)`;
  const south = sql`pow(sin((${lat} - radians(${latitude})) / 2), 2)`;
  const east = sql`pow(sin(radians(${table}.longitude - ${longitude}) / 2), 2)`;
  return sql`(${2 * earthRadius} * asin(min(1.0, sqrt(${south} + cos(radians(${latitude})) * cos(${lat}) * ${east}))))`;
}

function planNear(rows: PublicationRows, circles: readonly Circle[]): Plan {
  const areas = circles.map((circle) => {
    const within = sql`${distanceFrom(circle, literal('p'))} <= ${circle.meters}`;
    return { boxes: boxesOf(circle), within };
  });
  const sets = areas.map(
    ({ boxes, within }) =>
      sql`SELECT p.rid FROM area a CROSS JOIN position p ON p.rid = a.rid WHERE ${boxes} AND ${within}`,
  );
  const [first] = rows.all(
    sql`SELECT count(*) AS places FROM (SELECT 1 FROM area a WHERE ${some(areas.map(({ boxes }) => boxes))} LIMIT 5000)`,
  );
  return {
    estimate: Number(first?.places ?? 0),
    set: union(sets),
    probe: (rid) =>
      sql`EXISTS (SELECT 1 FROM position p WHERE p.rid = ${rid} AND ${some(areas.map(({ within }) => within))})`,
  };
}

/** The box around a circle; across the date line it is two. */
function boxesOf({ latitude, longitude, meters }: Circle): Sql {
  const north = (meters / metersOfDegree) * 1.001;
  const edge = Math.min(90, Math.abs(latitude) + north);
  const cosine = Math.cos((edge * Math.PI) / 180);
  const east = cosine < 1e-6 ? 360 : Math.min(360, north / cosine);
  const turns = [0, 360, -360].filter(
    (turn) => longitude + turn - east <= 180 && longitude + turn + east >= -180,
  );
  return some(
    turns.map(
      (turn) =>
        sql`(a.south <= ${latitude + north} AND a.north >= ${latitude - north} AND a.west <= ${longitude + turn + east} AND a.east >= ${longitude + turn - east})`,
    ),
  );
}
