/** Parses and validates one row (NDJSON line) of a drop. */

import { isFhirId } from '../../catalog/fhir/fhir-id.ts';
import {
  isPatientAccessType,
  type ServedResource,
  servedResource,
} from '../../catalog/fhir/fhir-resources.ts';
import { nameOf, type ResourceName } from '../../catalog/fhir/resource-name.ts';
import { type LineOfBusiness, parseLineOfBusiness } from '../../catalog/lines-of-business.ts';
import { profileFaults, structureFaults } from '../../fhir/validation/validate.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import type { NdjsonLine } from '../../platform/kernel/ndjson-lines.ts';
import { readNdjsonObject } from '../../platform/kernel/ndjson-object.ts';
import {
  declaresPriorAuthorization,
  drugElement,
  isPriorAuthorization,
} from '../../platform/kernel/prior-authorizations.ts';
import type { RecordProduct } from '../ledger/load-products.ts';
import { changeRowType, loadTypes } from '../ledger/load-types.ts';
import type { RejectCode } from '../ledger/rejects.ts';
import { type ChangeRow, readChange } from './change-rows.ts';
import { type FhirJson, patientReferred, referencesIn } from './fhir-json.ts';
import { readLastUpdated } from './last-updated.ts';
import { type RejectedRow, rejectFaulty, rejectRow } from './reject-row.ts';
import { changeOriginFault, originFault } from './row-origin.ts';

/** A reference of a row that must lead to something stored. */
export interface RowReference extends ResourceName {
  readonly element: string;
}

/** A row with a resource that passed all rules that need no store. */
export interface ResourceRow extends ResourceName {
  readonly kind: 'resource';
  readonly line: number;
  /** ID of the Patient whose record the resource belongs to; a Patient's own ID; undefined for resources that members share. */
  readonly patientId: string | undefined;
  /** Member identifier, of a Patient only. */
  readonly memberId?: string;
  readonly versionId: string;
  readonly lastUpdated: string;
  /** The unchanged text of the row. */
  readonly json: string;
  readonly content: FhirJson;
  /** All references except the one to the member. */
  readonly references: readonly RowReference[];
}

export type LoadRow = ResourceRow | ChangeRow | RejectedRow;

/** Context in which a row is parsed, beside its file's type. */
export interface RowContext {
  readonly lob: LineOfBusiness;
  /** Milliseconds since 1970; a row with a later time is rejected. */
  readonly now: number;
  /**
   * Product of the drop.
   *
   * @default members
   */
  readonly product?: RecordProduct;
}

/**
 * Parses a line of a file.
 *
 * @param type of the file in the manifest.
 */
export function readRow(line: NdjsonLine, type: string, context: RowContext): LoadRow {
  const { product = 'members' } = context;
  const read = readContent(line, type);
  if (read.kind === 'reject') return read;
  if (type === changeRowType) {
    const change = readChange(line.line, read.content, context);
    const fault = change.kind === 'reject' ? undefined : changeOriginFault(change, product);
    return fault === undefined ? change : rejectRow(line.line, fault.code, undefined, fault.element);
  }
  const row = readResource(line.line, read.text, read.content, type, context);
  // The profile is checked last, because the reject of a loading rule is easier to understand.
  if (row.kind !== 'resource') return row;
  const fault = originFault(row, product);
  if (fault !== undefined) return rejectRow(line.line, fault.code, row, fault.element);
  return rejectFaulty(line.line, read.content, profileFaults(read.content)) ?? row;
}

/** Parses the JSON of a line, and checks its type against the manifest's. */
export function readContent(
  line: NdjsonLine,
  type: string,
): { readonly kind: 'content'; readonly text: string; readonly content: FhirJson } | RejectedRow {
  const { line: number } = line;
  const read = readNdjsonObject(line);
  if (read.kind === 'fault') return rejectRow(number, read.code);
  const { text, content } = read;
  if (content.resourceType !== type) return rejectRow(number, 'other_type', undefined, 'resourceType');
  return { kind: 'content', text, content };
}

/** The profiles of which a row must declare one: another payer's row none, because not every payer declares them. */
function profilesOf(
  { supportedProfiles, acceptedProfiles = [] }: ServedResource,
  product: RecordProduct,
): readonly string[] {
  return product === 'received' ? [] : [...supportedProfiles, ...acceptedProfiles];
}

function readResource(
  line: number,
  text: string,
  content: FhirJson,
  resourceType: string,
  { lob, now, product = 'members' }: RowContext,
): LoadRow {
  const served = isPatientAccessType(resourceType)
    ? profilesOf(servedResource(resourceType), product)
    : undefined;
  const { patientElement } = loadTypes[resourceType] ?? {};
  const head = readHead(line, content, resourceType, { profiles: served, now });
  if (head.kind === 'reject') return head;
  const { name } = head;
  const use = useFault(content, product);
  if (use !== undefined) return rejectRow(line, use.code, name, use.element);
  const base = { ...head.row, kind: 'resource', line, json: text, content } as const;
  if (resourceType === 'Patient') return readPatient(base, lob);
  const patientId = patientElement === undefined ? undefined : patientReferred(content[patientElement]);
  if (patientElement !== undefined && patientId === undefined) {
    return rejectRow(line, 'no_patient', name, `${patientElement}.reference`);
  }
  return withReferences({ ...base, patientId, references: [] });
}

/** Rules for the elements that every row has. */
interface HeadRules {
  /** Profiles of which a row must declare one. Empty or undefined if none is required. */
  readonly profiles: readonly string[] | undefined;
  readonly now: number;
}

/** Reads the elements that every row has (ID, version, instant, profile), and validates the resource's structure. */
export function readHead(
  line: number,
  content: FhirJson,
  resourceType: string,
  { profiles, now }: HeadRules,
):
  | {
      readonly kind: 'head';
      readonly name: ResourceName;
      readonly row: ResourceName & { readonly versionId: string; readonly lastUpdated: string };
    }
  | RejectedRow {
  const { id, meta } = content;
  if (typeof id !== 'string' || !isFhirId(id)) return rejectRow(line, 'no_id', undefined, 'id');
  const name = { resourceType, id };
  const versionId = jsonMember(meta, 'versionId');
  if (typeof versionId !== 'string' || !isFhirId(versionId)) {
    return rejectRow(line, 'no_version', name, 'meta.versionId');
  }
  const updated = readLastUpdated(meta, now);
  if (updated.kind === 'fault') return rejectRow(line, updated.code, name, 'meta.lastUpdated');
  if (!declaresProfile(meta, profiles)) return rejectRow(line, 'no_profile', name, 'meta.profile');
  const { lastUpdated } = updated;
  return (
    rejectFaulty(line, content, structureFaults(content)) ?? {
      kind: 'head',
      name,
      row: { ...name, versionId, lastUpdated },
    }
  );
}

/**
 * Finds the fault of an ExplanationOfBenefit whose profile doesn't match its `use`, or that is a prior authorization of a drug. A received
 * one need not declare the profile.
 */
function useFault(
  content: FhirJson,
  product: RecordProduct,
): { readonly code: RejectCode; readonly element: string } | undefined {
  const declares = declaresPriorAuthorization(content);
  const isOptional = product === 'received' && !declares;
  if (!isOptional && isPriorAuthorization(content) !== declares) {
    return { code: 'other_use', element: 'use' };
  }
  const drug = isPriorAuthorization(content) ? drugElement(content) : undefined;
  return drug === undefined ? undefined : { code: 'drug_prior_authorization', element: drug };
}

function readPatient(row: Omit<ResourceRow, 'patientId' | 'references'>, lob: LineOfBusiness): LoadRow {
  const identifiers = jsonEntries(row.content.identifier);
  const memberIds = new Set(identifiers.filter(isMemberIdentifier).map((each) => jsonMember(each, 'value')));
  const [memberId, ...others] = memberIds;
  if (typeof memberId !== 'string' || memberId.trim() === '' || memberId.length > 256 || others.length > 0) {
    return rejectRow(row.line, 'no_member_id', row, 'identifier');
  }
  const lobs = identifiers
    .filter((each) => /(^|[/:])lob$/i.test(String(jsonMember(each, 'system'))))
    .map((each) => parseLineOfBusiness(String(jsonMember(each, 'value'))));
  if (lobs.some((named) => named !== lob)) return rejectRow(row.line, 'wrong_lob', row, 'identifier');
  return withReferences({ ...row, patientId: row.id, memberId, references: [] });
}

function withReferences(row: ResourceRow): LoadRow {
  const references: RowReference[] = [];
  const seen = new Set<string>();
  for (const { element, target } of referencesIn(row.content)) {
    if (target === undefined) return rejectRow(row.line, 'unserved_reference', row, element);
    if (target.resourceType === 'Patient') {
      if (target.id !== row.patientId) return rejectRow(row.line, 'foreign_reference', row, element);
    } else if (nameOf(target) !== nameOf(row) && !seen.has(nameOf(target))) {
      seen.add(nameOf(target));
      references.push({ ...target, element });
    }
  }
  return { ...row, references };
}

const identifierTypes = 'http://terminology.hl7.org/CodeSystem/v2-0203';

/** Whether an identifier has the type `MB` (member number) of HL7 v2 table 0203. */
function isMemberIdentifier(identifier: unknown): boolean {
  return jsonEntries(jsonMember(jsonMember(identifier, 'type'), 'coding')).some(
    (coding) => jsonMember(coding, 'code') === 'MB' && jsonMember(coding, 'system') === identifierTypes,
  );
}

/**
 * Whether one of the declared profiles is served for the type; true if the type requires none. A profile without a version stands for each
 * of its versions.
 */
function declaresProfile(meta: unknown, served: readonly string[] | undefined): boolean {
  if (served === undefined) return false;
  if (served.length === 0) return true;
  return jsonEntries(jsonMember(meta, 'profile')).some(
    (profile) =>
      typeof profile === 'string' &&
      served.some((each) => each === profile || each.slice(0, each.lastIndexOf('|')) === profile),
  );
}
