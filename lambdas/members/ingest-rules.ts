import type { MemberLoad } from './ingest-contract.ts';

type LoadedResource = MemberLoad['resources'][number];

/** What is wrong with a load: the member's path (`resources.0.json`) and what was expected of it. Never a value. */
export interface IngestIssue {
  readonly path: string;
  readonly message: string;
}

/**
 * DynamoDB's item limit is 400 KB; the rest is left for keys and attributes.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
const mostItemBytes = 390 * 1024;

/** Every rule a load breaks that can be seen from the load alone. */
export function loadIssues(load: MemberLoad): readonly IngestIssue[] {
  const issues: IngestIssue[] = [];
  const seen = new Set<string>();
  load.resources.forEach((resource, index) => {
    const path = `resources.${index}`;
    const id = `${resource.resourceType}/${resource.id}`;
    if (seen.has(id)) issues.push({ path, message: 'a resource type and id once in a load' });
    seen.add(id);
    issues.push(...resourceIssues(resource, path));
  });
  if (!seen.has(`Patient/${load.patientId}`)) {
    issues.push({ path: 'resources', message: 'the Patient whose id is patientId is among them' });
  }
  const patients = load.resources.filter(({ resourceType }) => resourceType === 'Patient');
  if (patients.length > 1) issues.push({ path: 'resources', message: 'one Patient in a load' });
  return issues;
}

function resourceIssues(resource: LoadedResource, path: string): readonly IngestIssue[] {
  const issues: IngestIssue[] = [];
  if (!/^[A-Z][A-Za-z]{1,63}$/.test(resource.resourceType)) {
    issues.push({ path: `${path}.resourceType`, message: 'the name of a FHIR resource type' });
  }
  if (!/^[A-Za-z0-9.-]{1,64}$/.test(resource.id)) {
    issues.push({ path: `${path}.id`, message: 'a FHIR id: 1 to 64 letters, digits, hyphens or dots' });
  }
  if (!isInstant(resource.lastUpdated)) {
    issues.push({ path: `${path}.lastUpdated`, message: 'a FHIR instant, with offset or Z' });
  }
  for (const name of ['json', 'fhirJson'] as const) {
    const text = resource[name];
    if (text !== undefined && !agrees(text, resource)) {
      issues.push({
        path: `${path}.${name}`,
        message:
          'a JSON object whose resourceType, id, meta.versionId and meta.lastUpdated are the ones beside it',
      });
    }
  }
  if (utf8Bytes(resource.json) + utf8Bytes(resource.fhirJson ?? '') > mostItemBytes) {
    issues.push({ path, message: `at most ${mostItemBytes} bytes` });
  }
  return issues;
}

/** FHIR R4 `instant`. */
function isInstant(text: string): boolean {
  const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
  return shape.test(text) && !Number.isNaN(Date.parse(text));
}

/** What is stored beside a resource is read instead of it, so it must be the same. */
function agrees(text: string, resource: LoadedResource): boolean {
  let parsed: { resourceType?: unknown; id?: unknown; meta?: { versionId?: unknown; lastUpdated?: unknown } };
  try {
    parsed = Object(JSON.parse(text));
  } catch {
    return false;
  }
  return (
    parsed.resourceType === resource.resourceType &&
    parsed.id === resource.id &&
    parsed.meta?.versionId === resource.versionId &&
    parsed.meta?.lastUpdated === resource.lastUpdated
  );
}

function utf8Bytes(text: string): number {
  // In UTF-8 a UTF-16 unit takes at most 3 bytes; counted exactly only where that could matter.
  return text.length * 3 <= mostItemBytes / 2
    ? text.length
    : encodeURIComponent(text.toWellFormed()).replace(/%../g, 'x').length;
}
