import { isPatientAccessType, type PatientAccessType } from '../../catalog/fhir-resources.ts';
import { type DateRange, dateRange, periodRange } from './date-range.ts';
import { fold } from './fold.ts';
import { namedReference } from './reference.ts';

/** A Coding or Identifier, or a code with the system its element implies. Without a system: ''. */
export type Token = readonly [system: string, code: string];

/** A text folded for comparison, and as it stands. */
export type FoldedText = readonly [folded: string, exact: string];

/** Path of a parameter's values in a resource, and the reader of an element there. Elements that can't be read give no value. */
export interface Source<Value> {
  /** `insurance.coverage`; lists are gone through. */
  readonly path: string;
  readonly read: (element: unknown) => readonly Value[];
}

type Sources<Value> = Readonly<Record<string, readonly Source<Value>[]>>;

/** By search parameter, and for references by the value of `_include` too. */
interface Expressions {
  readonly tokens: Sources<Token>;
  readonly dates: Sources<DateRange>;
  readonly strings: Sources<FoldedText>;
  readonly references: Sources<string>;
}

const none: Expressions = { tokens: {}, dates: {}, strings: {}, references: {} };

/** HumanName: any of its parts (R4, search.html#string). */
const personName = parts('name', ['family', 'given', 'prefix', 'suffix', 'text']);

/**
 * The expressions of the search parameters' definitions that lambdas/catalog/fhir-resources.ts names, as paths.
 *
 * @see http://hl7.org/fhir/us/carin-bb/STU2/artifacts.html#behavior-search-parameters
 */
const byType: Readonly<Record<PatientAccessType, Expressions>> = {
  Patient: {
    ...none,
    tokens: {
      identifier: [{ path: 'identifier', read: identifier }],
      gender: [{ path: 'gender', read: codeOf('http://hl7.org/fhir/administrative-gender') }],
    },
    dates: { birthdate: [date('birthDate')] },
    strings: { name: personName, family: parts('name', ['family']), given: parts('name', ['given']) },
  },
  Coverage: {
    ...none,
    references: {
      patient: [reference('beneficiary')],
      beneficiary: [reference('beneficiary')],
      payor: [reference('payor')],
      subscriber: [reference('subscriber')],
      'policy-holder': [reference('policyHolder')],
    },
  },
  ExplanationOfBenefit: {
    ...none,
    tokens: {
      type: [{ path: 'type', read: concept }],
      identifier: [{ path: 'identifier', read: identifier }],
    },
    dates: {
      'service-date': [period('billablePeriod'), date('item.servicedDate'), period('item.servicedPeriod')],
      'service-start-date': [
        date('billablePeriod.start'),
        date('item.servicedDate'),
        date('item.servicedPeriod.start'),
      ],
      'billable-period-start': [date('billablePeriod.start')],
    },
    references: {
      patient: [reference('patient')],
      provider: [reference('provider')],
      'care-team': [reference('careTeam.provider')],
      coverage: [reference('insurance.coverage')],
      insurer: [reference('insurer')],
      payee: [reference('payee.party')],
    },
  },
  Organization: {
    ...none,
    strings: {
      name: ['name', 'alias'].map((path) => ({ path, read: text })),
      address: parts('address', ['line', 'city', 'district', 'state', 'postalCode', 'country', 'text']),
    },
  },
  Practitioner: {
    ...none,
    tokens: { identifier: [{ path: 'identifier', read: identifier }] },
    strings: { name: personName },
  },
  RelatedPerson: {
    ...none,
    strings: { name: personName },
    references: { patient: [reference('patient')] },
  },
};

/** @returns undefined for what is no resource of a type we serve. */
export function expressionsOf(resource: unknown): Expressions | undefined {
  const type = member(resource, 'resourceType');
  return typeof type === 'string' && isPatientAccessType(type) ? byType[type] : undefined;
}

function parts(path: string, names: readonly string[]): readonly Source<FoldedText>[] {
  return names.map((name) => ({ path: `${path}.${name}`, read: text }));
}

function date(path: string): Source<DateRange> {
  return { path, read: (element) => listed(dateRange(element)) };
}

function period(path: string): Source<DateRange> {
  return { path, read: (element) => listed(periodRange(element)) };
}

/** Reads a reference without its base: a resource of the compartment has its own id there, whatever base named it. */
function reference(path: string): Source<string> {
  return { path, read: (element) => listed(namedReference(member(element, 'reference'))?.name) };
}

function identifier(element: unknown): readonly Token[] {
  return token(member(element, 'system'), member(element, 'value'));
}

function concept(element: unknown): readonly Token[] {
  const codings = member(element, 'coding');
  if (!Array.isArray(codings)) return [];
  return codings.flatMap((coding) => token(member(coding, 'system'), member(coding, 'code')));
}

/** An element of type code has no system property, and the one its binding implies (R4, search.html#token): both are found. */
function codeOf(system: string): (element: unknown) => readonly Token[] {
  return (element) => [...token(undefined, element), ...token(system, element)];
}

function token(system: unknown, code: unknown): readonly Token[] {
  return typeof code === 'string' && code !== '' ? [[typeof system === 'string' ? system : '', code]] : [];
}

function text(element: unknown): readonly FoldedText[] {
  return typeof element === 'string' && element !== '' ? [[fold(element), element]] : [];
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function listed<Value>(value: Value | undefined): readonly Value[] {
  return value === undefined ? [] : [value];
}
