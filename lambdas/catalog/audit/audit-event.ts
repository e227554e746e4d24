import type { Environment } from '../environments.ts';
import type { TokenIssuer } from '../oauth/token-issuer.ts';
import type { AuditAction, AuditOutcome } from './audit-actions.ts';

/**
 * One thing that happened to somebody's data or access. No event holds PHI, a token, a key or a secret: ids and codes
 * only. Kept 10 years, never changed.
 */
export interface AuditEvent {
  /** Unique; together with `time` it makes the event's key. A UUID. */
  readonly eventId: string;
  /** ISO 8601 with milliseconds. */
  readonly time: string;
  readonly environment: Environment;
  readonly lob: TokenIssuer;
  readonly action: AuditAction;
  /** `disclosed`: data left the service. `permitted`, `succeeded`: another positive decision. `refused`: a negative one. */
  readonly outcome: AuditOutcome;
  /** A stable code: `grant_revoked`. */
  readonly reason?: string;
  /** The actor: a client id, a member's `sub`, `member` before the sign-in, `operator`, or the function that acts by itself. */
  readonly actor: string;
  /** The operator's account in the portal, of an act by the console. */
  readonly operatorId?: string;
  readonly clientId?: string;
  readonly grantId?: string;
  /** Makes the event part of the patient's record; without it, it is the client's, or the service's. */
  readonly patientId?: string;
  /** The plan's identifier of the actor, where the actor is the patient's personal representative. */
  readonly representativeId?: string;
  /** Issuer of the plan's identity provider, where a sign-in is at one. */
  readonly identityProvider?: string;
  /** The part of the service that the event is about, if it is about no person and no client: `signing-keys`. */
  readonly service?: string;
  /** Id of an earlier event of the same subject that said more than was given. */
  readonly corrects?: string;
  /** Joins the event to the request's log line. Of a request, API Gateway's; no caller chooses it. */
  readonly requestId: string;
  /** The client's `X-Request-Id`: it joins the event to the client's own log, and proves nothing. */
  readonly clientRequestId?: string;
  /** `<type>/<id>` of the resource, absent where the URL's ID is no FHIR ID; of a search the type alone. */
  readonly resource?: string;
  /** `<type>/<id>`: of a search each resource in its answer (empty if nothing was found), of a load each it took back. */
  readonly resources?: readonly string[];
}
