/** Parses criteria about linked resources: chains and `_has` (R4, search.html#chaining and #has). */

import { type DirectoryType, isDirectoryType } from '../../catalog/fhir/directory-types.ts';
import { parseNamed } from '../../fhir/query/criterion.ts';
import { refuseUnknown } from '../../fhir/query/parameters.ts';
import { notSupported, printable, rejected, understood } from '../../fhir/query/search-issue.ts';
import {
  askedParameter,
  type CriterionReading,
  type LinkedReader,
  type SearchedType,
} from '../../fhir/query/searched-types.ts';
import type { DirectoryCriterion, OwnCriterion } from './directory-criterion.ts';

/** Most steps of a chain, or levels of nested `_has`. */
const mostHops = 2;

type Reader = LinkedReader<OwnCriterion>;
type Searched = SearchedType<OwnCriterion>;
type Reading = CriterionReading<OwnCriterion>;

/** Parses `_has:PractitionerRole:practitioner:specialty`, `location.address-city`, `location:Location.address-city`. */
export const parseLinked: Reader = (type, name, ...rest) =>
  name === '_has' || name.startsWith('_has:')
    ? parseHas(type, name, ...rest)
    : parseChain(type, name, ...rest);

const parseChain: Reader = (type, sentName, texts, context, hops) => {
  const dot = sentName.indexOf('.');
  const [first, rest] = [sentName.slice(0, dot), sentName.slice(dot + 1)];
  const [name = '', asked, ...more] = first.split(':');
  const parameter = askedParameter(type, name);
  if (parameter === undefined || more.length > 0) return { kind: 'unknown' };
  if (parameter.type !== 'reference') {
    const links = type.parameters.filter((each) => each.type === 'reference').map((each) => each.name);
    return refuse(
      `${name} of ${type.type} is no reference, so nothing can be chained to it. A chain of ${type.type} begins with one of ${links.join(', ')}.`,
    );
  }
  if (hops >= mostHops) return tooDeep(sentName);
  const all = parameter.targets ?? [];
  const targets = all.filter((each) => asked === undefined || each === asked);
  if (targets.length === 0) {
    return refuse(`${name} of ${type.type} leads to ${all.join(' or ')}, not to ${printable(asked ?? '')}.`);
  }
  const anyOf: { readonly type: DirectoryType; readonly criterion: DirectoryCriterion }[] = [];
  for (const target of targets.filter(isDirectoryType)) {
    const read = parseOf(type.all.of(target), rest, texts, context, hops + 1);
    if (read.kind !== 'value') return read;
    if (read.value !== undefined) anyOf.push({ type: target, criterion: read.value });
  }
  return understood({ kind: 'chain', name, anyOf });
};

const parseHas: Reader = (type, sentName, texts, context, hops) => {
  const [, source = '', reference = '', ...rest] = sentName.split(':');
  const from = type.all.of(source);
  if (from === undefined || !isDirectoryType(source)) {
    return refuse(
      `_has names a resource type that the directory does not have: ${printable(source)}. It has ${type.all.names.join(', ')}.`,
    );
  }
  const leading = from.parameters.filter(({ targets = [] }) => targets.includes(type.type));
  if (!leading.some(({ name }) => name === reference)) {
    const names = leading.map(({ name }) => name).join(', ');
    return refuse(
      names === ''
        ? `No parameter of ${source} leads to ${type.type}, so _has can’t be used with it.`
        : `_has:${source} of ${type.type} must continue with one of ${names}, not ${printable(reference)}.`,
    );
  }
  if (hops >= mostHops) return tooDeep(sentName);
  const read = parseOf(from, rest.join(':'), texts, context, hops + 1);
  if (read.kind !== 'value' || read.value === undefined) return read;
  return understood({ kind: 'has', type: source, name: reference, criterion: read.value });
};

/** Parses the criterion that a linked resource must satisfy. A parameter that its type does not have is refused. */
function parseOf(type: Searched | undefined, name: string, ...rest: Rest): Reading {
  if (type === undefined) return { kind: 'unknown' };
  const read = parseNamed(type, name, ...rest);
  if (read.kind !== 'unknown') return read;
  return rejected(
    refuseUnknown(
      name,
      type.type,
      type.parameters.map((each) => each.name),
    ),
  );
}

type Rest = Parameters<Reader> extends [unknown, unknown, ...infer Others] ? Others : never;

function tooDeep(name: string): Reading {
  return refuse(`${printable(name)} is chained more than ${mostHops} times. Use at most ${mostHops} steps.`);
}

function refuse(diagnostics: string): Reading {
  return rejected(notSupported(diagnostics));
}
