/** Translates a row of another payer's export into a row that the loader takes as received data. */

import { isFhirId } from '../../catalog/fhir/fhir-id.ts';
import { isFhirInstant } from '../../catalog/fhir/fhir-instant.ts';
import { isPatientAccessType, servedResource } from '../../catalog/fhir/fhir-resources.ts';
import { isDeeperThan } from '../../platform/kernel/json-levels.ts';
import { isJsonObject, jsonMember } from '../../platform/kernel/json-members.ts';
import { isSourceNumber, parseWithSourceNumbers } from '../../platform/kernel/json-source-text.ts';
import type { NdjsonLine } from '../../platform/kernel/ndjson-lines.ts';
import { readNdjsonObject } from '../../platform/kernel/ndjson-object.ts';
import { isInertNarrative } from './narrative.ts';
import { patientsNamed, translatedAddress, translatedReference } from './payer-references.ts';
import type { ReceiveRejectCode } from './receive-rejects.ts';
import { type TranslationContext, translatedId } from './translation-context.ts';

export type TranslatedRow =
  | {
      readonly kind: 'row';
      readonly type: string;
      readonly id: string;
      /** This plan's Patient; undefined for a resource that members share, such as an organization. */
      readonly patientId: string | undefined;
      readonly json: string;
    }
  | {
      readonly kind: 'reject';
      readonly line: number;
      readonly code: ReceiveRejectCode;
      /** `Type/id` at the payer, if the row has them. */
      readonly resource?: string;
      readonly element?: string;
    }
  /** A row that this plan doesn't take from another payer: its Patient or Group. */
  | { readonly kind: 'skipped' };

type Json = Readonly<Record<string, unknown>>;

/** Levels of nesting at which rows are rejected before they are looked into; the loader allows a few less. */
const mostLevels = 42;
const skippedTypes: readonly unknown[] = ['Patient', 'Group'];

/**
 * Translates a row: a new ID, references to received resources and to this plan's Patient, the payer as `meta.source`, and a version that
 * the content decides. The same row always becomes the same text, whatever the order of its members; decimals stay as written. The payer's
 * identifiers stay, its `meta.versionId` doesn't. What remains to be checked, such as types and profiles, the loader checks.
 */
export function translateRow(line: NdjsonLine, context: TranslationContext): TranslatedRow {
  const read = readNdjsonObject(line);
  if (read.kind === 'fault') return { kind: 'reject', line: line.line, code: read.code };
  const { text, content } = read;
  if (isDeeperThan(content, mostLevels)) return { kind: 'reject', line: line.line, code: 'too_deep' };
  const { resourceType: type, id } = content;
  if (skippedTypes.includes(type)) return { kind: 'skipped' };
  if (typeof type !== 'string' || !isPatientAccessType(type)) {
    return { kind: 'reject', line: line.line, code: 'unserved_type', element: 'resourceType' };
  }
  if (typeof id !== 'string' || !isFhirId(id)) {
    return { kind: 'reject', line: line.line, code: 'no_id', element: 'id' };
  }
  const owner = ownerOf(content, type, context);
  if (owner.kind === 'fault') {
    const { code, element } = owner;
    return { kind: 'reject', line: line.line, code, resource: `${type}/${id}`, ...(element && { element }) };
  }
  const { patientId } = owner;
  const name = { resourceType: type, id: translatedId(context, type, id) };
  const resource = parseWithSourceNumbers(text) as Json;
  const body = translatedBody(resource, context, patientId);
  const meta = translatedMeta(resource.meta, context);
  const unversioned = JSON.stringify({ ...name, meta, ...body });
  const versionId = context.sha256(unversioned).slice(0, 40);
  // The first `meta` of the text is the resource's own. Writing the text twice would take a quarter of a row's time.
  const json = unversioned.replace('"meta":{', () => `"meta":{"versionId":"${versionId}",`);
  return { kind: 'row', type, id: name.id, patientId, json };
}

type Owner =
  | { readonly kind: 'owner'; readonly patientId: string | undefined }
  | { readonly kind: 'fault'; readonly code: 'no_patient' | 'not_this_member'; readonly element?: string };

/** The member whose data a resource is. All Patients that it names anywhere must be that member. */
function ownerOf(
  content: Json,
  type: Parameters<typeof servedResource>[0],
  context: TranslationContext,
): Owner {
  const { members, payer } = context;
  const { patientElement } = servedResource(type);
  const named = [...patientsNamed(content, payer.fhirBase)];
  const patients = new Set(named.map((each) => (each === undefined ? undefined : members.get(each))));
  const [patientId] = patients;
  const foreign = { kind: 'fault', code: 'not_this_member' } as const;
  if (patientElement === undefined)
    return named.length === 0 ? { kind: 'owner', patientId: undefined } : foreign;
  if (patients.size > 1 || patients.has(undefined)) return foreign;
  const ofElement = patientsNamed(jsonMember(content, patientElement), payer.fhirBase);
  if (patientId === undefined || ofElement.size === 0) {
    return { kind: 'fault', code: 'no_patient', element: `${patientElement}.reference` };
  }
  return { kind: 'owner', patientId };
}

/** The elements of a resource beside its type, ID and `meta`, translated and in alphabetical order. */
function translatedBody(resource: Json, context: TranslationContext, patientId: string | undefined): Json {
  const { resourceType: _type, id: _id, meta: _meta, ...body } = resource;
  return translated(body, context, patientId, true) as Json;
}

function translated(
  value: unknown,
  context: TranslationContext,
  patientId: string | undefined,
  isResource = false,
): unknown {
  if (Array.isArray(value)) return value.map((each) => translated(each, context, patientId));
  if (!isJsonObject(value) || isSourceNumber(value)) return value;
  const element = translatedReference(value, context, patientId);
  const members: [string, unknown][] = [];
  for (const name of Object.keys(element).sort()) {
    const member = element[name];
    if (name === 'text' && (isResource || Object.hasOwn(value, 'resourceType')) && !isInert(member)) continue;
    const address = name === 'url' ? translatedAddress(member, context) : undefined;
    members.push([name, address ?? translated(member, context, patientId)]);
  }
  return Object.fromEntries(members);
}

/** Whether a resource's `text` may be kept. A narrative with scripts, styles or forms is left out; the structured data stays. */
function isInert(text: unknown): boolean {
  const div = jsonMember(text, 'div');
  return div === undefined || isInertNarrative(div);
}

/** `meta` without the payer's version: the time of the payer's last change, its source, and the payer's profiles, labels and tags. */
function translatedMeta(meta: unknown, { payer, transactionTime }: TranslationContext): Json {
  const lastUpdated = jsonMember(meta, 'lastUpdated');
  const kept = ['profile', 'security', 'tag'].flatMap((name) => {
    const member = jsonMember(meta, name);
    return member === undefined ? [] : [[name, sorted(member)] as const];
  });
  const isKnown = typeof lastUpdated === 'string' && isFhirInstant(lastUpdated);
  return {
    lastUpdated: isKnown ? lastUpdated : transactionTime,
    source: payer.fhirBase,
    ...Object.fromEntries(kept),
  };
}

/** A copy of a value with the members of its objects in alphabetical order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value) || isSourceNumber(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}
