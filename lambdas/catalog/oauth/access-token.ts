/** Shapes of the claims of members' access tokens and machine-to-machine tokens. */

import * as s from '../../platform/kernel/shapes.ts';
import { environments } from '../environments.ts';
import { fhirId } from '../fhir/fhir-id.ts';

/** Maximum lifetime of an access token, seconds, that a configuration may set. A longer-lived token was not issued by this service. */
export const longestAccessTokenSeconds = 3_600;

/** Text without half a surrogate pair, which neither DynamoDB nor a header accepts. */
const text = s.where(s.text, (value) => value.isWellFormed());

/** Text of 1 to 255 characters, which fits into a table key and an audit event. */
const name = s.where(text, ({ length }) => length >= 1 && length <= 255);

/**
 * Claims of an access token (RFC 9068, `typ: at+jwt`, RS256), as the authorization server issues and the LOB's authorizer reads them. No
 * claim is PHI: `patient` is an opaque ID.
 *
 * `iss`: `memberIssuer(…)` or `machineIssuer(…)`. `aud`: the LOB's Patient Access base in a member's token; the environment's resource ID
 * in a machine's. `sub`: the grant's subject (Cognito `sub`), or the client ID in a machine's token. `exp`, `iat`: seconds since 1970.
 * `nbf`: never issued, but verified if present.
 */
const common = {
  iss: text,
  aud: text,
  sub: name,
  client_id: name,
  jti: name,
  scope: text,
  iat: s.integer,
  exp: s.integer,
  nbf: s.maybe(s.integer),
  environment: s.oneOf(environments),
};

/** Claims of an access token that a member consented to. */
export const memberAccessToken = s.object({
  ...common,
  lob: text,
  patient: s.matching(fhirId),
  /** ID of the grant. Its state is read with every resource. */
  grant: name,
});

/** Claims of a client-credentials token, whose client is the resource owner (docs/service.md S6.6). */
export const machineAccessToken = s.object(common);

export type MemberAccessToken = s.Shaped<typeof memberAccessToken>;
export type MachineAccessToken = s.Shaped<typeof machineAccessToken>;
