/** Reads one resource for an application: checks access, records the disclosure, then returns the resource (R4, http.html#read). */

import { isFhirId } from '../../catalog/fhir/fhir-id.ts';
import type { PatientAccessType } from '../../catalog/fhir/fhir-resources.ts';
import type { Interface } from '../../catalog/fhir/interfaces.ts';
import { nameOf } from '../../catalog/fhir/resource-name.ts';
import type { MemberContext } from '../../catalog/oauth/authorizer-context.ts';
import { allowedCategories, allowsRead } from '../../catalog/oauth/scopes.ts';
import {
  type AccessRefusal,
  accessRefusalReasons,
  findAccessRefusal,
  inactiveGrantReason,
} from '../disclosure/access-check.ts';
import type { Disclosure, DisclosureRecorder } from '../disclosure/disclosure-recorder-port.ts';
import { isResourceServed, withheldByScope } from '../disclosure/disclosure-rules.ts';
import { maskedJson } from '../labels/masked-references.ts';
import { type MediaType, negotiate } from '../query/media-type.ts';
import { parseSelection } from '../query/result-parameters.ts';
import type { Parameter, SearchIssue } from '../query/search-issue.ts';
import { formatOf } from '../query/search-request.ts';
import { isAllowedCategory } from '../search/scope-filter.ts';
import { subset } from '../search/subset.ts';
import type { PatientCompartment, StoredResource } from '../values/patient-compartment.ts';
import { searchValues } from '../values/values.ts';
import { type RawContent, rawContent } from './binary-content.ts';
import { matchesEntityTag } from './entity-tag.ts';

/** A request of FHIR's read interaction (R4, http.html#read). */
export interface ReadRequest {
  readonly type: PatientAccessType;
  /** The ID in the URL, as sent; it may be invalid. */
  readonly id: string;
  readonly accept: string | undefined;
  /** Parameters of the query, decoded; only `_format`, `_summary` and `_elements` have an effect. */
  readonly parameters: readonly Parameter[];
  readonly ifNoneMatch: string | undefined;
  readonly requestId: string;
  readonly clientRequestId?: string;
  readonly context: MemberContext;
}

export type ReadRefusal = AccessRefusal | 'not-acceptable' | 'not-found';

export type ReadAnswer =
  | {
      readonly kind: 'resource';
      readonly body: string;
      readonly mediaType: MediaType;
      readonly resource: StoredResource;
    }
  /** A document in its own content type. */
  | { readonly kind: 'content'; readonly content: RawContent; readonly resource: StoredResource }
  | { readonly kind: 'not-modified'; readonly resource: StoredResource }
  | { readonly kind: 'refusal'; readonly refusal: ReadRefusal }
  /** Status 400, with an OperationOutcome of these issues. */
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

export interface ReadDependencies {
  /** The interface that serves the request; the application must have it among its products. */
  readonly interface: Interface;
  readonly compartment: PatientCompartment;
  readonly audit: DisclosureRecorder;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Reads a resource of the token's patient. Only the partition of that patient is read, so the ID of another member's resource is never
 * found there: it takes the same steps and time, and gets the same response, as an ID that does not exist.
 *
 * @throws the errors of the ports if the store is unavailable; nothing is disclosed then.
 */
export async function readResource(
  dependencies: ReadDependencies,
  request: ReadRequest,
): Promise<ReadAnswer> {
  const { context, type } = request;
  const seconds = dependencies.now() / 1000;
  const valid = isFhirId(request.id);
  const event = disclosureOf(request, valid);
  const refused = findAccessRefusal(
    dependencies.interface,
    context,
    allowsRead(context.scope, type),
    seconds,
  );
  if (refused !== undefined) {
    await dependencies.audit.record({ ...event, outcome: 'refused', reason: accessRefusalReasons[refused] });
    return refusal(refused);
  }
  const mediaType = negotiate(request.accept, formatOf(request.parameters)[0]?.[1]);
  // Whether a Binary's own content type is acceptable can be decided only after it was read.
  if (mediaType === undefined && type !== 'Binary') return refusal('not-acceptable');
  const parsed = parseSelection(request.parameters);
  if (parsed.kind === 'invalid') return parsed;

  const possible = valid && isOwn(request);
  const [{ grant, resource, labels }, eventId] = await Promise.all([
    // An invalid ID is read as an empty ID, which no stored resource has.
    dependencies.compartment.read(context.patientId, context.grantId, type, valid ? request.id : ''),
    dependencies.audit.record(possible ? event : { ...event, outcome: 'refused', reason: 'not_found' }),
  ]);

  const withheld = withheldByScope(labels, context.scope);
  const dead = inactiveGrantReason(grant, context.clientId, seconds);
  const missing =
    !possible ||
    resource === undefined ||
    withheld.has(nameOf({ resourceType: type, id: request.id })) ||
    !isInScope(request, resource) ||
    !isResourceServed(type, resource.json, dependencies.now());
  if (dead !== undefined || missing) {
    const reason = dead ?? 'not_found';
    if (possible || dead !== undefined) {
      await dependencies.audit.record({ ...event, outcome: 'refused', reason, corrects: eventId });
    }
    return refusal(dead === undefined ? 'not-found' : 'invalid-token');
  }
  if (matchesEntityTag(request.ifNoneMatch, resource.versionId)) return { kind: 'not-modified', resource };
  const content = type === 'Binary' ? rawContent(resource.json, request.accept) : undefined;
  if (content !== undefined) return { kind: 'content', content, resource };
  if (mediaType === undefined) {
    const reason = 'not_acceptable';
    await dependencies.audit.record({ ...event, outcome: 'refused', reason, corrects: eventId });
    return refusal('not-acceptable');
  }
  const whole = mediaType === 'application/json' ? resource.json : (resource.fhirJson ?? resource.json);
  const body = subset(maskedJson(whole, withheld), type, parsed.selection);
  return { kind: 'resource', body, mediaType, resource };
}

/**
 * Whether the request may be for a resource of the token's patient. A Patient with another ID is not; for other types the compartment
 * decides.
 */
function isOwn({ type, id, context }: ReadRequest): boolean {
  return type !== 'Patient' || id === context.patientId;
}

/** Whether the granted scopes cover the resource's categories; if not, the response is the same as for a missing resource. */
function isInScope({ type, context }: ReadRequest, { json }: StoredResource): boolean {
  const categories = allowedCategories(context.scope, type, 'r');
  if (categories === undefined) return true;
  return isAllowedCategory(categories, searchValues(JSON.parse(json)).tokens.category);
}

function disclosureOf(request: ReadRequest, valid: boolean): Disclosure {
  const { clientId, grantId, patientId } = request.context;
  return {
    action: `${request.type}.read`,
    outcome: 'disclosed',
    clientId,
    grantId,
    patientId,
    requestId: request.requestId,
    ...(request.clientRequestId !== undefined && { clientRequestId: request.clientRequestId }),
    ...(valid && { resource: `${request.type}/${request.id}` }),
  };
}

function refusal(code: ReadRefusal): ReadAnswer {
  return { kind: 'refusal', refusal: code };
}
