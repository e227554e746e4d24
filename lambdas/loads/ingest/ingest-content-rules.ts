/** Checks the content of one member's load before anything is stored. */

import { isFhirId } from '../../catalog/fhir/fhir-id.ts';
import { isFhirInstant } from '../../catalog/fhir/fhir-instant.ts';
import {
  isPatientAccessType,
  longestResource,
  patientAccessTypes,
} from '../../catalog/fhir/fhir-resources.ts';
import { nameOf } from '../../catalog/fhir/resource-name.ts';
import { isReservedId, receivedIdPrefix } from '../../catalog/payer/received-resources.ts';
import { profileFaults, structureFaults } from '../../fhir/validation/validate.ts';
import { jsonFault } from '../../platform/kernel/json-faults.ts';
import { jsonValue } from '../../platform/kernel/json-members.ts';
import { drugElement, isPriorAuthorization } from '../../platform/kernel/prior-authorizations.ts';
import type { IngestIssue, MemberLoad } from './ingest-contract.ts';
import { referencesOf, subjectIssues } from './ingest-references.ts';

type LoadedResource = MemberLoad['resources'][number];

/** The issues of a load that can be found without the store. */
export function loadIssues(load: MemberLoad): readonly IngestIssue[] {
  const issues: IngestIssue[] = [];
  const seen = new Set<string>();
  load.resources.forEach((resource, index) => {
    const path = `resources.${index}`;
    const name = nameOf(resource);
    if (seen.has(name)) issues.push({ path, message: 'each resource type and ID once in a load' });
    seen.add(name);
    issues.push(...resourceIssues(resource, load.patientId, path));
  });
  if (!seen.has(`Patient/${load.patientId}`)) {
    issues.push({ path: 'resources', message: 'the Patient with the ID patientId among the resources' });
  }
  const patients = load.resources.filter(({ resourceType }) => resourceType === 'Patient');
  if (patients.length > 1) issues.push({ path: 'resources', message: 'one Patient in a load' });
  load.removed?.forEach((removed, index) => {
    issues.push(...removalIssues(removed, seen, `removed.${index}`));
  });
  return issues.length > 0 ? issues : validationIssues(load);
}

function removalIssues(
  removed: NonNullable<MemberLoad['removed']>[number],
  loaded: ReadonlySet<string>,
  path: string,
): readonly IngestIssue[] {
  const issues = nameIssues(removed, path);
  if (removed.resourceType === 'Patient') {
    return [
      ...issues,
      { path: `${path}.resourceType`, message: 'a type other than Patient, which can’t be withdrawn' },
    ];
  }
  if (!loaded.has(nameOf(removed))) return issues;
  return [...issues, { path, message: 'a resource that is not among the resources of the load' }];
}

function resourceIssues(resource: LoadedResource, patientId: string, path: string): readonly IngestIssue[] {
  const issues = [...nameIssues(resource, path)];
  if (!isFhirId(resource.versionId)) {
    issues.push({ path: `${path}.versionId`, message: expectedId });
  }
  if (!isFhirInstant(resource.lastUpdated)) {
    issues.push({ path: `${path}.lastUpdated`, message: 'a FHIR instant, with offset or Z' });
  }
  for (const rendition of ['json', 'fhirJson'] as const) {
    const text = resource[rendition];
    if (text !== undefined) {
      issues.push(...renditionIssues(text, resource, patientId, `${path}.${rendition}`));
    }
  }
  return issues;
}

const expectedId = 'a FHIR id: 1 to 64 letters, digits, hyphens or dots';
const unreserved = `an ID that does not begin with ${receivedIdPrefix}, as those of data from other payers do`;

function nameIssues(
  { resourceType, id }: Pick<LoadedResource, 'resourceType' | 'id'>,
  path: string,
): readonly IngestIssue[] {
  const issues: IngestIssue[] = [];
  if (!isPatientAccessType(resourceType)) {
    issues.push({
      path: `${path}.resourceType`,
      message: `a served type: ${patientAccessTypes.join(', ')}`,
    });
  }
  if (!isFhirId(id)) issues.push({ path: `${path}.id`, message: expectedId });
  if (isReservedId(id)) issues.push({ path: `${path}.id`, message: unreserved });
  return issues;
}

function renditionIssues(
  text: string,
  resource: LoadedResource,
  patientId: string,
  path: string,
): readonly IngestIssue[] {
  if (new TextEncoder().encode(text).byteLength > longestResource) {
    return [{ path, message: `at most ${longestResource} bytes` }];
  }
  const content = parsed(text);
  if (!agrees(content, resource)) {
    const message =
      'a JSON object with the resourceType, id, meta.versionId and meta.lastUpdated of its entry';
    return [{ path, message }];
  }
  const fault = jsonFault(text);
  if (fault !== undefined) return [{ path, message: faults[fault] }];
  const drug = isPriorAuthorization(content) ? drugElement(content) : undefined;
  if (drug !== undefined) return [{ path, message: `no prior authorization for a drug (${drug})` }];
  const { references, issues } = referencesOf(content, path);
  const ofSubject = subjectIssues(content, resource, patientId, path);
  const others = references
    .filter(({ resourceType, id }) => resourceType === 'Patient' && id !== patientId)
    .filter((reference) => ofSubject.every((issue) => issue.path !== reference.path));
  const message = 'no patient other than the patient of the load; send other people as RelatedPerson';
  const reserved = references.filter(({ id }) => isReservedId(id));
  return [
    ...issues,
    ...ofSubject,
    ...others.map((reference) => ({ path: reference.path, message })),
    ...reserved.map((reference) => ({ path: reference.path, message: unreserved })),
  ];
}

/**
 * Validates each rendition against R4 and the claimed profiles. It runs last, because issues of the other rules are easier to understand.
 */
function validationIssues({ resources }: MemberLoad): readonly IngestIssue[] {
  return resources.flatMap(({ json, fhirJson }, index) =>
    Object.entries({ json, fhirJson }).flatMap(([rendition, text]) => {
      if (text === undefined) return [];
      const content = JSON.parse(text) as Readonly<Record<string, unknown>>;
      const structure = structureFaults(content);
      const faults = structure.length > 0 ? structure : profileFaults(content);
      return faults.map(({ element, expected }) => ({
        path: `resources.${index}.${rendition}.${element}`,
        message: expected,
      }));
    }),
  );
}

const faults = {
  duplicate_name: 'each name once in an object',
  control_character: 'no control characters in a text but tab, carriage return and line feed',
} as const;

interface Content {
  readonly resourceType?: unknown;
  readonly id?: unknown;
  readonly meta?: { readonly versionId?: unknown; readonly lastUpdated?: unknown };
}

/**
 * Parses a resource's JSON.
 *
 * @returns undefined if the text is not a JSON object, or contains an unpaired surrogate, which the table can't store.
 */
function parsed(text: string): Content | undefined {
  const value = text.isWellFormed() ? jsonValue(text) : undefined;
  return value === undefined ? undefined : Object(value);
}

/** Whether a resource's JSON has the same type, ID, version and instant as the load's members, which the store uses instead of the JSON. */
function agrees(content: Content | undefined, resource: LoadedResource): boolean {
  return (
    content?.resourceType === resource.resourceType &&
    content.id === resource.id &&
    content.meta?.versionId === resource.versionId &&
    content.meta.lastUpdated === resource.lastUpdated
  );
}
