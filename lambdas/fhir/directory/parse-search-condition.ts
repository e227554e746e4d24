/** Parses one parameter of a directory search into a condition: with modifiers, chains and `_has` (R4, search.html). */
import {
  type DirectoryParameter,
  type DirectoryType,
  directoryParameter,
  directoryResource,
  directoryTypes,
  isDirectoryType,
} from '../../catalog/fhir/directory-resources.ts';
import { searchBounds } from '../../catalog/fhir/fhir-resources.ts';
import { askedReference, parseDates, parseStrings, parseTokens } from '../search/criterion.ts';
import { splitUnescaped, unescaped } from '../search/escapes.ts';
import {
  invalid,
  notSupported,
  type ParameterReading,
  printable,
  rejected,
  type SearchIssue,
  understood,
} from '../search/search-issue.ts';
import type { Circle, SearchCondition } from './search-condition.ts';

export interface ConditionContext {
  /** FHIR base URL: absolute references to it are ours. */
  readonly base: string;
  /** Milliseconds since 1970; what `ap` measures nearness from. */
  readonly now: number;
}

/** Steps of a chain, and `_has` in one another: two hops each. */
const mostHops = 2;

/** The modifiers of each parameter type; every type has `missing` (R4, search.html#modifiers). */
const modifiers: Readonly<Record<DirectoryParameter['type'], readonly string[]>> = {
  date: [],
  reference: [],
  special: [],
  string: ['exact', 'contains'],
  token: ['not', 'text'],
};

/** Parameters that every type has, beside those of its table. */
export const commonParameters = ['_id', '_lastUpdated'] as const;

/**
 * @param name as it came: `specialty`, `location.address-city`, `_has:PractitionerRole:practitioner:specialty`.
 * @returns undefined for an empty value, which is as good as not sent; `unknown` where the type has no such parameter.
 */
export function parseCondition(
  type: DirectoryType,
  name: string,
  value: string,
  context: ConditionContext,
): ParameterReading<SearchCondition | undefined> | { readonly kind: 'unknown' } {
  const texts = splitUnescaped(value, ',').filter((text) => text.trim() !== '');
  const read = parseNamed(type, name, texts, context, 0);
  if (read.kind === 'unknown' || read.kind === 'rejected') return read;
  if (texts.length === 0) return understood(undefined);
  return read;
}

type Reading = ParameterReading<SearchCondition> | { readonly kind: 'unknown' };

function parseNamed(
  type: DirectoryType,
  name: string,
  texts: readonly string[],
  context: ConditionContext,
  hops: number,
): Reading {
  if (texts.length > searchBounds.alternatives) {
    return refuse(
      invalid(`The parameter ${printable(name)} has more than ${searchBounds.alternatives} alternatives.`),
    );
  }
  if (name === '_has' || name.startsWith('_has:')) return parseHas(type, name, texts, context, hops);
  const dot = name.indexOf('.');
  if (dot > 0) return parseChain(type, name.slice(0, dot), name.slice(dot + 1), texts, context, hops);
  const [plain = '', modifier = '', ...more] = name.split(':');
  if (more.length > 0) return { kind: 'unknown' };
  if (plain === '_id' || plain === '_lastUpdated') return parseCommon(type, plain, modifier, texts, context);
  const parameter = directoryParameter(type, plain);
  if (parameter === undefined) return { kind: 'unknown' };
  return parseOwn(type, parameter, modifier, texts, context);
}

function parseCommon(
  type: DirectoryType,
  name: (typeof commonParameters)[number],
  modifier: string,
  texts: readonly string[],
  context: ConditionContext,
): Reading {
  if (modifier !== '') return refuseModifier(type, name, modifier);
  if (name === '_id') return understood({ kind: 'ids', type, anyOf: texts.map(unescaped) });
  const dates = parseDates(name, texts, context);
  if (dates.kind === 'rejected') return dates;
  return understood({ kind: 'updated', type, anyOf: dates.value.anyOf });
}

function parseOwn(
  type: DirectoryType,
  parameter: DirectoryParameter,
  modifier: string,
  texts: readonly string[],
  context: ConditionContext,
): Reading {
  const { name } = parameter;
  if (modifier === 'missing') return parseMissing(type, name, texts);
  const ofTarget = parameter.type === 'reference' && (parameter.targets ?? []).includes(modifier);
  if (modifier !== '' && !ofTarget && !modifiers[parameter.type].includes(modifier)) {
    return refuseModifier(type, name, modifier);
  }
  switch (parameter.type) {
    case 'token': {
      if (modifier === 'text') {
        const anyOf = texts.map(unescaped);
        return understood({
          kind: 'texts',
          type,
          parameter: name,
          of: 'texts',
          comparison: 'starts-with',
          anyOf,
        });
      }
      const tokens = parseTokens(name, false, texts);
      if (tokens.kind === 'rejected') return tokens;
      const condition: SearchCondition = { kind: 'tokens', type, parameter: name, anyOf: tokens.value.anyOf };
      return understood(modifier === 'not' ? { kind: 'not', condition } : condition);
    }
    case 'string': {
      const strings = parseStrings(name, modifier, texts);
      if (strings.kind === 'rejected') return strings;
      const { comparison, anyOf } = strings.value;
      return understood({ kind: 'texts', type, parameter: name, of: 'values', comparison, anyOf });
    }
    case 'date': {
      const dates = parseDates(name, texts, context);
      if (dates.kind === 'rejected') return dates;
      return understood({ kind: 'dates', type, parameter: name, anyOf: dates.value.anyOf });
    }
    case 'reference': {
      const anyOf = texts.flatMap((text) =>
        targetsOf(parameter, modifier, askedReference(unescaped(text), context.base)),
      );
      return understood({ kind: 'references', type, parameter: name, anyOf });
    }
    case 'special':
      return parseNear(texts);
  }
}

/** A bare id is of any type the reference may lead to, or of the one that the modifier names. */
function targetsOf(
  { targets = [] }: DirectoryParameter,
  modifier: string,
  reference: string,
): readonly string[] {
  const types = modifier === '' ? targets : [modifier];
  if (reference.includes('/'))
    return types.some((each) => reference.startsWith(`${each}/`)) ? [reference] : [];
  return reference === '' ? [] : types.map((each) => `${each}/${reference}`);
}

function parseMissing(type: DirectoryType, name: string, texts: readonly string[]): Reading {
  const [text = ''] = texts;
  if (texts.length > 1 || (texts.length === 1 && text !== 'true' && text !== 'false')) {
    return refuse(invalid(`${name}:missing must be true or false, not ${printable(texts.join(','))}.`));
  }
  return understood({ kind: 'missing', type, parameter: name, missing: text === 'true' });
}

const metersOf: Readonly<Record<string, number>> = {
  km: 1_000,
  m: 1,
  '[mi_us]': 1_609.347,
  mi_us: 1_609.347,
  '[mi_i]': 1_609.344,
  mi: 1_609.344,
};
/** Farther is no search near a place. */
const farthestMeters = 500_000;
/** Distance of a search that names none (R4 leaves it to the server): 25 miles. */
const usualMeters = 25 * 1_609.344;

/** `latitude|longitude|distance|units` (R4, location.html#positional): units are UCUM's km (the default) or [mi_us], or mi. */
function parseNear(texts: readonly string[]): Reading {
  const anyOf: Circle[] = [];
  for (const text of texts) {
    const [latitude = '', longitude = '', distance = '', units = 'km', ...more] = splitUnescaped(
      text,
      '|',
    ).map(unescaped);
    const factor = metersOf[units === '' ? 'km' : units];
    const numbers = [latitude, longitude, distance === '' ? '1' : distance];
    const areNumbers = numbers.every((each) => /^[+-]?\d{1,9}(\.\d{1,15})?$/.test(each.trim()));
    const [north, east] = [Number(latitude), Number(longitude)];
    const meters = distance === '' ? usualMeters : Number(distance) * (factor ?? 0);
    const onEarth = Math.abs(north) <= 90 && Math.abs(east) <= 180;
    if (
      !areNumbers ||
      !onEarth ||
      factor === undefined ||
      more.length > 0 ||
      meters <= 0 ||
      meters > farthestMeters
    ) {
      return refuse(
        invalid(
          `near must be latitude|longitude|distance|units such as 40.7128|-74.0060|10|mi, with degrees of WGS 84, the unit km, m, mi or [mi_us], and at most ${farthestMeters / 1_000} km, not ${printable(text)}.`,
        ),
      );
    }
    anyOf.push({ latitude: north, longitude: east, meters });
  }
  return understood({ kind: 'near', anyOf });
}

/** `location.address-city`, `location:Location.address-city`. */
function parseChain(
  type: DirectoryType,
  first: string,
  rest: string,
  texts: readonly string[],
  context: ConditionContext,
  hops: number,
): Reading {
  const [name = '', asked, ...more] = first.split(':');
  const parameter = directoryParameter(type, name);
  if (parameter === undefined || more.length > 0) return { kind: 'unknown' };
  const links = directoryResource(type).parameters.filter((each) => each.type === 'reference');
  if (parameter.type !== 'reference') {
    return refuse(
      notSupported(
        `${name} of ${type} is no reference, so nothing can be chained to it. A chain of ${type} begins with one of ${links.map((each) => each.name).join(', ')}.`,
      ),
    );
  }
  if (hops >= mostHops) return tooDeep(`${first}.${rest}`);
  const targets = (parameter.targets ?? []).filter((each) => asked === undefined || each === asked);
  if (targets.length === 0) {
    return refuse(
      notSupported(
        `${name} of ${type} leads to ${(parameter.targets ?? []).join(' or ')}, not to ${printable(asked ?? '')}.`,
      ),
    );
  }
  const anyOf: { readonly type: DirectoryType; readonly condition: SearchCondition }[] = [];
  for (const target of targets) {
    if (!isDirectoryType(target)) continue;
    const read = parseNamed(target, rest, texts, context, hops + 1);
    if (read.kind === 'unknown') return refuse(unknownOf(target, rest));
    if (read.kind === 'rejected') return read;
    anyOf.push({ type: target, condition: read.value });
  }
  return understood({ kind: 'chain', type, parameter: name, anyOf });
}

/** `_has:PractitionerRole:practitioner:specialty` */
function parseHas(
  type: DirectoryType,
  name: string,
  texts: readonly string[],
  context: ConditionContext,
  hops: number,
): Reading {
  const [, source = '', reference = '', ...rest] = name.split(':');
  if (!isDirectoryType(source)) {
    return refuse(
      notSupported(
        `_has names a resource type that the directory does not have: ${printable(source)}. It has ${directoryTypes.join(', ')}.`,
      ),
    );
  }
  const parameter = directoryParameter(source, reference);
  if (parameter?.type !== 'reference' || !(parameter.targets ?? []).includes(type)) {
    const known = directoryResource(source).parameters.filter(({ targets = [] }) => targets.includes(type));
    const names = known.map((each) => each.name).join(', ');
    return refuse(
      notSupported(
        names === ''
          ? `No parameter of ${source} leads to ${type}, so _has can’t be used with it.`
          : `_has:${source} of ${type} must continue with one of ${names}, not ${printable(reference)}.`,
      ),
    );
  }
  if (hops >= mostHops) return tooDeep(name);
  const inner = rest.join(':');
  const read = parseNamed(source, inner, texts, context, hops + 1);
  if (read.kind === 'unknown') return refuse(unknownOf(source, inner));
  if (read.kind === 'rejected') return read;
  return understood({ kind: 'has', type: source, parameter: reference, condition: read.value });
}

/** The issue of a parameter that a type does not have, with those it has. */
export function unknownOf(type: DirectoryType, name: string): SearchIssue {
  const names = [...commonParameters, ...directoryResource(type).parameters.map((each) => each.name)];
  return notSupported(`${type} has no search parameter ${printable(name)}. It has ${names.join(', ')}.`);
}

function tooDeep(name: string): Reading {
  return refuse(
    notSupported(`${printable(name)} is chained more than ${mostHops} times. Use at most ${mostHops} steps.`),
  );
}

function refuseModifier(type: DirectoryType, name: string, modifier: string): Reading {
  const parameter = directoryParameter(type, name);
  const known = parameter === undefined ? [] : ['missing', ...modifiers[parameter.type]];
  const supported = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`;
  return refuse(
    notSupported(
      `The modifier ${printable(modifier)} is not supported for the parameter ${name}. ${supported}`,
    ),
  );
}

function refuse(issue: SearchIssue): ParameterReading<never> {
  return rejected(issue);
}
