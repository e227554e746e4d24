import type { MemberLoad } from '../../../lambdas/members/ingest-contract.ts';
import { internalPrefix } from '../patient.ts';
import type { PseudoRandom } from '../pseudo-random.ts';

/** The version of the CARIN guide: the first with dental claims, and the one its test suite asks for. */
export const carinVersion = '2.0.0';

export type CarinProfile =
  | 'C4BB-Coverage'
  | 'C4BB-Organization'
  | 'C4BB-Practitioner'
  | 'C4BB-RelatedPerson'
  | `C4BB-ExplanationOfBenefit-${
      | 'Inpatient-Institutional'
      | 'Outpatient-Institutional'
      | 'Professional-NonClinician'
      | 'Pharmacy'
      | 'Oral'}`;

/**
 * The number of what the generator makes beside the Patients. A stored version says one thing only, and ingest refuses it with
 * other content: whoever changes a synthetic resource raises this, and gives local/seed.ts another file name, so that what was
 * loaded before is replaced.
 */
const contentVersion = 1;

/** A resource before it is serialized. */
export interface Draft {
  readonly resourceType: string;
  readonly id: string;
  readonly meta: {
    readonly versionId: string;
    readonly lastUpdated: string;
    readonly profile: readonly [string];
  };
  readonly [element: string]: unknown;
}

/**
 * @param elements the resource's own, in FHIR's order.
 * @param version the day (`YYYY-MM-DD`) from which the plan's systems know it so; a moment of that day is drawn.
 */
export function draft(
  random: PseudoRandom,
  resourceType: string,
  profile: CarinProfile,
  elements: Readonly<Record<string, unknown>>,
  version: { readonly known: string; readonly changes?: number } = { known: '2018-01-02' },
): Draft {
  return {
    resourceType,
    id: random.uuid(),
    meta: {
      versionId: String(contentVersion + (version.changes ?? 0)),
      lastUpdated: momentOf(random, version.known),
      profile: [`http://hl7.org/fhir/us/carin-bb/StructureDefinition/${profile}|${carinVersion}`],
    },
    ...elements,
  };
}

/** As a load holds it. */
export function loaded(resource: Draft): MemberLoad['resources'][number] {
  const { resourceType, id, meta } = resource;
  return {
    resourceType,
    id,
    versionId: meta.versionId,
    lastUpdated: meta.lastUpdated,
    json: JSON.stringify(resource),
  };
}

export function identifier(name: string, value: string) {
  return { system: `${internalPrefix}/identifier/${name}`, value };
}

/** The small hours, when the plan's systems do their nightly work; Eastern Standard Time. */
function momentOf(random: PseudoRandom, date: string): string {
  const [minute, second] = [random.integer(0, 59), random.integer(0, 59)].map((it) =>
    String(it).padStart(2, '0'),
  );
  return `${date}T0${random.integer(1, 5)}:${minute}:${second}.${random.digits(3)}-05:00`;
}
