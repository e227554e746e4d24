/** Parses rows of a drop that change stored data: withdrawals, moves, merges, representatives. */

import { isFhirId } from '../catalog/fhir/fhir-id.ts';
import { isFhirInstant } from '../catalog/fhir/fhir-instant.ts';
import type { ResourceName } from '../catalog/fhir/resource-name.ts';
import { type LineOfBusiness, parseLineOfBusiness } from '../catalog/lines-of-business.ts';
import { type FhirJson, jsonList, memberOfJson, patientReferred, readReference } from './fhir-json.ts';
import type { RowReject } from './rejects.ts';
import { isPersonIdentifier, type Representation, readRepresentation } from './representation.ts';

/** A row of a file of type `Parameters`: it changes what is stored and holds no resource. */
export type ChangeRow = WithdrawalRow | MoveRow | MergeRow | RepresentationRow | RepresentationEndRow;

interface ChangeRowBase {
  readonly line: number;
  /** `meta.lastUpdated`: when the source decided it. */
  readonly lastUpdated: string;
  /** The Patient whose record it changes. */
  readonly patientId: string;
}

/** Takes a resource back; of a Patient the whole record. */
export interface WithdrawalRow extends ChangeRowBase {
  readonly kind: 'withdrawal';
  readonly resource: ResourceName;
}

/** The member is in another LOB from now on. What is stored stays. */
export interface MoveRow extends ChangeRowBase {
  readonly kind: 'move';
  readonly toLob: LineOfBusiness;
  /** The member's Patient there, where the source knows it. */
  readonly toPatientId?: string;
}

/** Two Patients are one person: the record goes over to the other Patient. */
export interface MergeRow extends ChangeRowBase {
  readonly kind: 'merge';
  readonly intoPatientId: string;
}

/** A person is the personal representative of a member. */
export interface RepresentationRow extends ChangeRowBase {
  readonly kind: 'representation';
  readonly representation: Representation;
  /** The RelatedPerson, with the contacts. */
  readonly person: FhirJson;
}

/** A person is no longer the personal representative of a member. */
export interface RepresentationEndRow extends ChangeRowBase {
  readonly kind: 'representation-end';
  readonly representativeId: string;
}

/**
 * Reads the Parameters of a representation (`representative`), its end (`end-representative`, `patient`), a withdrawal (`withdraw`,
 * `patient`), a move (`move`, `lineOfBusiness`, `successor`) or a merge (`source-patient`, `target-patient`).
 */
export function readChange(
  line: number,
  content: FhirJson,
): ChangeRow | { readonly kind: 'reject'; readonly reject: RowReject } {
  const lastUpdated = memberOfJson(content.meta, 'lastUpdated');
  if (typeof lastUpdated !== 'string' || !isFhirInstant(lastUpdated)) {
    return { kind: 'reject', reject: { line, code: 'no_last_updated', element: 'meta.lastUpdated' } };
  }
  const parameters = new Map(jsonList(content.parameter).map((each) => [memberOfJson(each, 'name'), each]));
  if (parameters.has('representative') && parameters.size === 1) {
    const read = readRepresentation(memberOfJson(parameters.get('representative'), 'resource'));
    if (read.kind === 'fault')
      return { kind: 'reject', reject: { line, code: read.code, element: read.element } };
    const { patientId, representation, person } = read;
    return { kind: 'representation', line, lastUpdated, patientId, representation, person };
  }
  const change = changeOf(parameters);
  if (change === undefined) {
    return { kind: 'reject', reject: { line, code: 'unknown_change', element: 'parameter' } };
  }
  return { ...change, line, lastUpdated };
}

type Change =
  | Omit<WithdrawalRow, 'line' | 'lastUpdated'>
  | Omit<RepresentationEndRow, 'line' | 'lastUpdated'>
  | Omit<MoveRow, 'line' | 'lastUpdated'>
  | Omit<MergeRow, 'line' | 'lastUpdated'>;

function changeOf(parameters: ReadonlyMap<unknown, unknown>): Change | undefined {
  const names = [...parameters.keys()].sort().join(' ');
  const reference = (name: string) => memberOfJson(parameters.get(name), 'valueReference');
  const patient = (name: string) => patientReferred(reference(name));
  switch (names) {
    case 'withdraw':
    case 'patient withdraw': {
      const resource = readReference(memberOfJson(reference('withdraw'), 'reference'));
      const patientId = resource?.resourceType === 'Patient' ? resource.id : patient('patient');
      if (resource === undefined || patientId === undefined) return undefined;
      return { kind: 'withdrawal', resource, patientId };
    }
    case 'end-representative patient': {
      const representativeId = memberOfJson(
        memberOfJson(parameters.get('end-representative'), 'valueIdentifier'),
        'value',
      );
      const patientId = patient('patient');
      if (!isPersonIdentifier(representativeId) || patientId === undefined) return undefined;
      return { kind: 'representation-end', representativeId, patientId };
    }
    case 'lineOfBusiness move':
    case 'lineOfBusiness move successor': {
      const toLob = parseLineOfBusiness(String(memberOfJson(parameters.get('lineOfBusiness'), 'valueCode')));
      const [patientId, toPatientId] = [patient('move'), patient('successor')];
      if (toLob === undefined || patientId === undefined) return undefined;
      if (parameters.has('successor') && toPatientId === undefined) return undefined;
      return { kind: 'move', patientId, toLob, ...(toPatientId !== undefined && { toPatientId }) };
    }
    case 'source-patient target-patient': {
      const [patientId, intoPatientId] = [patient('source-patient'), patient('target-patient')];
      if (patientId === undefined || intoPatientId === undefined || patientId === intoPatientId)
        return undefined;
      return isFhirId(intoPatientId) ? { kind: 'merge', patientId, intoPatientId } : undefined;
    }
    default:
      return undefined;
  }
}
