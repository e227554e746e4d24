/** Reads the results of "Find a doctor" from a searchset Bundle of PractitionerRole resources. */

import type {
  Address,
  Bundle,
  FhirResource,
  Location,
  Organization,
  Practitioner,
  PractitionerRole,
} from 'fhir/r4.js';
import { specialtyRows, specialtySystem } from '../../catalog/fhir/specialty-words.ts';
import { type LanguageChoice, languageChoices } from './doctor-choices.ts';
import type { SearchedPlace } from './doctor-query.ts';

/** A location where a doctor practices. */
export interface DoctorPlace {
  readonly name: string;
  readonly lines: readonly string[];
  /** E.g. `+1 503 555 0100`. */
  readonly phone: string | undefined;
  /** Distance from the ZIP code, rounded. */
  readonly miles: number | undefined;
}

/** One result: a practitioner in one role. */
export interface Doctor {
  /** `PractitionerRole/<id>`. */
  readonly reference: string;
  readonly name: string;
  readonly specialties: readonly string[];
  readonly organization: string | undefined;
  readonly languages: readonly string[];
  /** Whether the doctor accepts new patients; `existing`: only patients they have. Undefined if the directory does not say. */
  readonly accepting: 'yes' | 'no' | 'existing' | undefined;
  readonly places: readonly DoctorPlace[];
}

/** A page of results. */
export interface Doctors {
  readonly doctors: readonly Doctor[];
  /** Number of matches on all pages; undefined where the API does not count them. */
  readonly total: number | undefined;
  /** Cursor of the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/**
 * Reads a page of results.
 *
 * @param near position of the ZIP code, from which distances are computed.
 */
export function readDoctors(bundle: Bundle<FhirResource>, near: SearchedPlace | undefined): Doctors {
  const resources = new Map<string, FhirResource>();
  for (const { resource } of bundle.entry ?? [])
    if (resource?.id !== undefined) resources.set(`${resource.resourceType}/${resource.id}`, resource);
  const find = (reference: string | undefined) =>
    resources.get((reference ?? '').replace(/\/_history\/.*/, ''));
  const roles = (bundle.entry ?? []).flatMap(({ resource, search }) =>
    resource?.resourceType === 'PractitionerRole' && search?.mode !== 'include' ? [resource] : [],
  );
  const next = bundle.link?.find(({ relation }) => relation === 'next')?.url;
  return {
    doctors: roles.map((role) => doctorOf(role, find, near)),
    total: bundle.total,
    next: next === undefined ? undefined : (new URL(next).searchParams.get('_cursor') ?? undefined),
  };
}

type Find = (reference: string | undefined) => FhirResource | undefined;

function doctorOf(role: PractitionerRole, find: Find, near: SearchedPlace | undefined): Doctor {
  const practitioner = find(role.practitioner?.reference) as Practitioner | undefined;
  const organization = find(role.organization?.reference) as Organization | undefined;
  const places = (role.location ?? []).flatMap(({ reference }) => {
    const location = find(reference) as Location | undefined;
    return location === undefined ? [] : [placeOf(location, role, near)];
  });
  return {
    reference: `PractitionerRole/${role.id}`,
    name: nameOf(practitioner) ?? role.practitioner?.display ?? 'Name not listed',
    specialties: specialtiesOf(role),
    organization: organization?.name ?? role.organization?.display,
    languages: (practitioner?.communication ?? []).flatMap(({ coding, text }) => {
      const { code = '', display } = coding?.[0] ?? {};
      return languageChoices[code as LanguageChoice] ?? display ?? text ?? [];
    }),
    accepting: acceptingOf(role),
    places: places.sort((one, other) => (one.miles ?? unknownMiles) - (other.miles ?? unknownMiles)),
  };
}

/** Distance of a location without a position, which sorts it after all others. */
const unknownMiles = 100_000;

function nameOf(practitioner: Practitioner | undefined): string | undefined {
  const name = practitioner?.name?.[0];
  if (name === undefined) return undefined;
  const { given = [], family = '', suffix = [] } = name;
  const spelled = [...given, family].filter((part) => part !== '').join(' ');
  return spelled === '' ? name.text : [spelled, ...suffix].join(', ');
}

/** The specialties in plain words, each once: several codes have the same words. */
function specialtiesOf({ specialty = [] }: PractitionerRole): readonly string[] {
  const words = specialty.flatMap(({ coding, text }) => {
    const code = coding?.find(({ system }) => system === specialtySystem);
    return plainSpecialty(code?.code) ?? code?.display ?? text ?? [];
  });
  return [...new Set(words)];
}

function plainSpecialty(code: string | undefined): string | undefined {
  return specialtyRows.find(([, { codes }]) => code !== undefined && Object.hasOwn(codes, code))?.[1].label;
}

/** Reads the extension `newpatients` (Da Vinci PDex Plan-Net). */
function acceptingOf({ extension = [] }: PractitionerRole): Doctor['accepting'] {
  const parts = extension
    .filter(({ url }) => url.endsWith('/newpatients'))
    .flatMap((each) => each.extension ?? []);
  const codes = parts.flatMap(({ valueCodeableConcept }) => valueCodeableConcept?.coding?.[0]?.code ?? []);
  if (codes.includes('newpt')) return 'yes';
  if (codes.includes('existptonly') || codes.includes('existptfam')) return 'existing';
  return codes.includes('nopt') ? 'no' : undefined;
}

function placeOf(location: Location, role: PractitionerRole, near: SearchedPlace | undefined): DoctorPlace {
  const phones = [...(location.telecom ?? []), ...(role.telecom ?? [])].filter(
    ({ system }) => system === 'phone',
  );
  return {
    name: location.name ?? '',
    lines: linesOf(location.address),
    phone: phones[0]?.value,
    miles: near && location.position && Math.round(milesBetween(near, location.position) * 10) / 10,
  };
}

function linesOf({ line = [], city = '', state = '', postalCode = '' }: Address = {}): readonly string[] {
  const place = `${city}, ${state} ${postalCode}`.replace(/^, /, '').trim();
  return [...line, place].filter((each) => each !== '' && each !== ',');
}

/** Great-circle distance (haversine), in miles. */
function milesBetween(one: SearchedPlace, other: SearchedPlace): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const dLatitude = radians(other.latitude - one.latitude);
  const dLongitude = radians(other.longitude - one.longitude);
  const half =
    Math.sin(dLatitude / 2) ** 2 +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(dLongitude / 2) ** 2;
  return 2 * 3_958.8 * Math.asin(Math.min(1, Math.sqrt(half)));
}
