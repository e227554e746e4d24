import type { Environment } from '../environments.ts';
import type { TokenIssuer } from '../oauth/token-issuer.ts';
import type { AuditAction, AuditOutcome } from './audit-actions.ts';

/**
 * A decision about somebody's data or access. An event contains IDs and codes only: no PHI, token, key or secret. It is kept for 10 years
 * and never changed.
 */
export interface AuditEvent {
  /** UUID. Together with `time` it is the event's key. */
  readonly eventId: string;
  /** ISO 8601 with milliseconds. */
  readonly time: string;
  readonly environment: Environment;
  readonly lob: TokenIssuer;
  readonly action: AuditAction;
  /** `disclosed`: data left the service. `permitted`, `succeeded`: another positive decision. `refused`: a negative one. */
  readonly outcome: AuditOutcome;
  /** Stable code of the reason, e.g. `grant_revoked`. */
  readonly reason?: string;
  /** A client ID, a member's `sub`, `member` before the sign-in, `operator`, or a function that acts by itself. */
  readonly actor: string;
  /** The operator's account in the portal, if the operator acted in the console; of a question on the command line, `command-line:` and a name. */
  readonly operatorId?: string;
  readonly clientId?: string;
  readonly grantId?: string;
  /** The patient that the event is about. Without it, the event is about the client or the service. */
  readonly patientId?: string;
  /** The plan's identifier of the actor, if the actor is the patient's personal representative. */
  readonly representativeId?: string;
  /** The exchange with another payer that the event is about. */
  readonly exchangeId?: string;
  /** Issuer of the plan's identity provider, in a sign-in there. */
  readonly identityProvider?: string;
  /** The subject of an event about no person and no client, e.g. `signing-keys`. */
  readonly service?: string;
  /** ID of an earlier event of the same subject, which recorded more disclosures than happened. */
  readonly corrects?: string;
  /** ID that the event has in common with the request's log line. For an HTTP request it is API Gateway's, which no caller chooses. */
  readonly requestId: string;
  /** The client's `X-Request-Id`, by which the client can find the event in its own log. It proves nothing. */
  readonly clientRequestId?: string;
  /** The requested resource, `<type>/<id>`; absent if the URL's ID is no FHIR ID. For a search, the type alone. */
  readonly resource?: string;
  /** Resources, `<type>/<id>`: for a search those in the response (empty if nothing was found), for a load those it withdrew. */
  readonly resources?: readonly string[];
}
