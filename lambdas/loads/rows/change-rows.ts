/** Parses rows of a drop that change stored data: withdrawals, moves, merges, representatives, exchanges with other payers. */

import type { ResourceName } from '../../catalog/fhir/resource-name.ts';
import { type LineOfBusiness, parseLineOfBusiness } from '../../catalog/lines-of-business.ts';
import { structureFaults } from '../../fhir/validation/validate.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import type { RejectCode } from '../ledger/rejects.ts';
import { type ExchangeChange, type ExchangeEnd, readExchangeChange } from './exchange-rows.ts';
import { type FhirJson, patientReferred, readReference } from './fhir-json.ts';
import { readLastUpdated } from './last-updated.ts';
import { type RejectedRow, rejectFaulty, rejectRow } from './reject-row.ts';
import { isPersonIdentifier, type Representation, readRepresentation } from './representation.ts';

/** A row of a file of type `Parameters`, which changes stored data instead of containing a resource. */
export type ChangeRow =
  | WithdrawalRow
  | MoveRow
  | MergeRow
  | RepresentationRow
  | RepresentationEndRow
  | ExchangeRow
  | ExchangeEndRow;

interface ChangeRowBase {
  readonly line: number;
  /** `meta.lastUpdated`: time of the source's decision. */
  readonly lastUpdated: string;
  /** ID of the Patient whose record the row changes. */
  readonly patientId: string;
}

/** Withdraws a resource, or, for a Patient, the whole record. */
export interface WithdrawalRow extends ChangeRowBase {
  readonly kind: 'withdrawal';
  readonly resource: ResourceName;
}

/** Records that the member has moved to another LOB. Stored resources stay. */
export interface MoveRow extends ChangeRowBase {
  readonly kind: 'move';
  readonly toLob: LineOfBusiness;
  /** The member's Patient ID in the LOB they moved to (`toLob`), if the plan's system that sent the row knows it. */
  readonly toPatientId?: string;
}

/** Merges two Patients that are one person: the record moves to the other Patient. */
export interface MergeRow extends ChangeRowBase {
  readonly kind: 'merge';
  readonly intoPatientId: string;
}

/** Makes a person the personal representative of a member. */
export interface RepresentationRow extends ChangeRowBase {
  readonly kind: 'representation';
  readonly representation: Representation;
  /** The representative's RelatedPerson, with contact data. */
  readonly person: FhirJson;
}

/** Ends a person's representation of a member. */
export interface RepresentationEndRow extends ChangeRowBase {
  readonly kind: 'representation-end';
  readonly representativeId: string;
}

/** Offers a member that another payer is asked, or records the member's permission. */
export interface ExchangeRow extends ChangeRowBase, ExchangeChange {
  readonly kind: 'exchange';
}

/** Ends a member's permission to ask another payer. */
export interface ExchangeEndRow extends ChangeRowBase, ExchangeEnd {
  readonly kind: 'exchange-end';
}

/**
 * Parses a change row. Its Parameters describe a representation (`representative`), the end of one (`end-representative`, `patient`), an
 * offer to ask another payer (`other-payer`), the member's permission (`other-payer`, `other-payer-permission`), its end
 * (`end-other-payer`, `patient`), a withdrawal (`withdraw`, `patient`), a move (`move`, `lineOfBusiness`, `successor`) or a merge (`source-patient`, `target-patient`).
 */
export function readChange(
  line: number,
  content: FhirJson,
  { lob, now }: { readonly lob: LineOfBusiness; readonly now: number },
): ChangeRow | RejectedRow {
  const updated = readLastUpdated(content.meta, now);
  if (updated.kind === 'fault') return rejectRow(line, updated.code, undefined, 'meta.lastUpdated');
  const { lastUpdated } = updated;
  const faulty = rejectFaulty(line, content, structureFaults(content));
  if (faulty !== undefined) return faulty;
  const given = jsonEntries(content.parameter).map((each) => [jsonMember(each, 'name'), each] as const);
  const parameters = new Map(given);
  if (parameters.size < given.length) return rejectRow(line, 'duplicate_parameter', undefined, 'parameter');
  if (parameters.has('representative') && parameters.size === 1) {
    const read = readRepresentation(jsonMember(parameters.get('representative'), 'resource'));
    if (read.kind === 'fault') return rejectRow(line, read.code, undefined, read.element);
    const { patientId, representation, person } = read;
    return { kind: 'representation', line, lastUpdated, patientId, representation, person };
  }
  const other = parameters.get('other-payer');
  if (
    other !== undefined &&
    [...parameters.keys()].every((name) => exchangeParameters.includes(String(name)))
  ) {
    const read = readExchangeChange(
      jsonMember(other, 'resource'),
      jsonMember(parameters.get('other-payer-permission'), 'resource'),
      jsonMember(parameters.get('coverage-start'), 'valueDate'),
    );
    if (read.kind === 'fault') return rejectRow(line, read.code, undefined, read.element);
    return { kind: 'exchange', line, lastUpdated, ...read.change };
  }
  const change = changeOf(parameters, lob);
  if (change.kind === 'fault')
    return rejectRow(line, change.code, undefined, `parameter.${change.parameter}`);
  return { ...change, line, lastUpdated };
}

/** The parameters of an offer and of a permission. */
const exchangeParameters: readonly string[] = ['other-payer', 'other-payer-permission', 'coverage-start'];

type Change =
  | Omit<ExchangeEndRow, 'line' | 'lastUpdated'>
  | Omit<WithdrawalRow, 'line' | 'lastUpdated'>
  | Omit<RepresentationEndRow, 'line' | 'lastUpdated'>
  | Omit<MoveRow, 'line' | 'lastUpdated'>
  | Omit<MergeRow, 'line' | 'lastUpdated'>;

/** The fault of a parameter with an invalid value. */
interface ChangeFault {
  readonly kind: 'fault';
  readonly code: Extract<
    RejectCode,
    | 'unknown_change'
    | 'change_reference'
    | 'change_line_of_business'
    | 'same_patient'
    | 'no_representative_id'
    | 'no_other_payer'
  >;
  readonly parameter: string;
}

function changeOf(parameters: ReadonlyMap<unknown, unknown>, lob: LineOfBusiness): Change | ChangeFault {
  const names = [...parameters.keys()].sort().join(' ');
  const reference = (name: string) => jsonMember(parameters.get(name), 'valueReference');
  const patient = (name: string) => patientReferred(reference(name));
  const fault = (code: ChangeFault['code'], parameter: string): ChangeFault => ({
    kind: 'fault',
    code,
    parameter,
  });
  switch (names) {
    case 'withdraw':
    case 'patient withdraw': {
      const resource = readReference(jsonMember(reference('withdraw'), 'reference'));
      if (resource === undefined) return fault('change_reference', 'withdraw');
      const patientId = resource.resourceType === 'Patient' ? resource.id : patient('patient');
      return patientId === undefined
        ? fault('change_reference', 'patient')
        : { kind: 'withdrawal', resource, patientId };
    }
    case 'end-representative patient': {
      const identifier = jsonMember(parameters.get('end-representative'), 'valueIdentifier');
      const representativeId = jsonMember(identifier, 'value');
      if (!isPersonIdentifier(representativeId)) return fault('no_representative_id', 'end-representative');
      const patientId = patient('patient');
      return patientId === undefined
        ? fault('change_reference', 'patient')
        : { kind: 'representation-end', representativeId, patientId };
    }
    case 'end-other-payer patient': {
      const name = jsonMember(parameters.get('end-other-payer'), 'valueString');
      const patientId = patient('patient');
      if (typeof name !== 'string' || name.trim() === '') return fault('no_other_payer', 'end-other-payer');
      return patientId === undefined
        ? fault('change_reference', 'patient')
        : { kind: 'exchange-end', plan: { name: name.trim() }, patientId };
    }
    case 'lineOfBusiness move':
    case 'lineOfBusiness move successor': {
      const toLob = parseLineOfBusiness(String(jsonMember(parameters.get('lineOfBusiness'), 'valueCode')));
      if (toLob === undefined || toLob === lob) return fault('change_line_of_business', 'lineOfBusiness');
      const [patientId, toPatientId] = [patient('move'), patient('successor')];
      if (patientId === undefined) return fault('change_reference', 'move');
      if (parameters.has('successor') && toPatientId === undefined)
        return fault('change_reference', 'successor');
      return { kind: 'move', patientId, toLob, ...(toPatientId !== undefined && { toPatientId }) };
    }
    case 'source-patient target-patient': {
      const [patientId, intoPatientId] = [patient('source-patient'), patient('target-patient')];
      if (patientId === undefined) return fault('change_reference', 'source-patient');
      if (intoPatientId === undefined) return fault('change_reference', 'target-patient');
      if (patientId === intoPatientId) return fault('same_patient', 'target-patient');
      return { kind: 'merge', patientId, intoPatientId };
    }
    default:
      return fault('unknown_change', 'name');
  }
}
