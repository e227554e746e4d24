import type { MemberContext } from '../catalog/authorizer-context.ts';
import { allowsRead } from '../catalog/scopes.ts';
import { matches } from './entity-tag.ts';
import { isFhirId } from './fhir-id.ts';
import { type MediaType, negotiate } from './media-type.ts';
import type { AuditTrail, Disclosure, Grant, PatientCompartment, StoredResource } from './ports.ts';

/** FHIR's read interaction on Patient (R4, http.html#read). */
export interface ReadRequest {
  /** The URL's id, as it came. */
  readonly id: string;
  readonly accept: string | undefined;
  /** The `_format` query parameter. */
  readonly format: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly requestId: string;
  readonly context: MemberContext;
}

export type ReadRefusal =
  | 'invalid-token'
  | 'product-missing'
  | 'insufficient-scope'
  | 'not-acceptable'
  | 'not-found';

export type ReadAnswer =
  | {
      readonly kind: 'resource';
      readonly body: string;
      readonly mediaType: MediaType;
      readonly resource: StoredResource;
    }
  | { readonly kind: 'not-modified'; readonly resource: StoredResource }
  | { readonly kind: 'refusal'; readonly refusal: ReadRefusal };

export interface ReadDependencies {
  readonly compartment: PatientCompartment;
  readonly audit: AuditTrail;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Reads the token’s patient. The id of another patient is looked for in the token’s own compartment, where it can’t be: it
 * takes the same steps, the same time and the same answer as an id that does not exist; no other partition is touched.
 *
 * @throws what the ports throw when the store is unavailable; nothing is disclosed then.
 */
export async function readPatient(dependencies: ReadDependencies, request: ReadRequest): Promise<ReadAnswer> {
  const seconds = dependencies.now() / 1000;
  const valid = isFhirId(request.id);
  const event = disclosureOf(request, valid);
  const refused = refusedBeforeReading(request, seconds);
  if (refused !== undefined) {
    await dependencies.audit.record({ ...event, outcome: 'refused', reason: reasons[refused] });
    return refusal(refused);
  }
  const mediaType = negotiate(request.accept, request.format);
  if (mediaType === undefined) return refusal('not-acceptable');

  const { context } = request;
  const own = valid && request.id === context.patientId;
  const [{ grant, resource }, eventId] = await Promise.all([
    // No stored resource has an empty id.
    dependencies.compartment.read(context.patientId, context.grantId, 'Patient', valid ? request.id : ''),
    dependencies.audit.record(own ? event : { ...event, outcome: 'refused', reason: 'not_found' }),
  ]);

  const dead = grantRefusal(grant, context.clientId, seconds);
  const missing = !own || resource === undefined;
  if (dead !== undefined || missing) {
    const reason = dead ?? 'not_found';
    if (own || dead !== undefined) {
      await dependencies.audit.record({ ...event, outcome: 'refused', reason, corrects: eventId });
    }
    return refusal(dead === undefined ? 'not-found' : 'invalid-token');
  }
  if (matches(request.ifNoneMatch, resource.versionId)) return { kind: 'not-modified', resource };
  const body = mediaType === 'application/json' ? resource.json : (resource.fhirJson ?? resource.json);
  return { kind: 'resource', body, mediaType, resource };
}

type Forbidden = 'invalid-token' | 'product-missing' | 'insufficient-scope';

/** As the audit says it. */
const reasons: Readonly<Record<Forbidden, string>> = {
  'invalid-token': 'token_expired',
  'product-missing': 'product_missing',
  'insufficient-scope': 'scope_insufficient',
};

/** What a cached policy can't know, in the order of the answers' precedence: 401 before 403. */
function refusedBeforeReading(request: ReadRequest, seconds: number): Forbidden | undefined {
  const { context } = request;
  if (!(context.tokenExpiresAt > seconds)) return 'invalid-token';
  if (!context.products.includes('patient-access')) return 'product-missing';
  if (!allowsRead(context.scope, 'Patient')) return 'insufficient-scope';
  return undefined;
}

/** Why a grant gives nothing any more; undefined for a living one of this application. */
function grantRefusal(grant: Grant | undefined, clientId: string, seconds: number): string | undefined {
  if (grant === undefined) return 'grant_missing';
  if (grant.clientId !== clientId) return 'grant_of_another_client';
  if (grant.state !== 'active') return `grant_${grant.state}`;
  return grant.expiresAt > seconds ? undefined : 'grant_expired';
}

function disclosureOf(request: ReadRequest, valid: boolean): Disclosure {
  const { clientId, grantId, patientId } = request.context;
  return {
    action: 'Patient.read',
    outcome: 'disclosed',
    clientId,
    grantId,
    patientId,
    requestId: request.requestId,
    ...(valid && { resource: `Patient/${request.id}` }),
  };
}

function refusal(code: ReadRefusal): ReadAnswer {
  return { kind: 'refusal', refusal: code };
}
