import * as z from 'zod';
import { bearerErrors, serverErrors, tokenErrors } from '../../../lambdas/catalog/oauth/oauth-errors.ts';

/**
 * Response schemas of the member-facing interfaces for the OpenAPI document. `test/docs/openapi.test.ts` validates the
 * examples and the synthetic members against them.
 */

const text = (description: string) => z.string().meta({ description });
const internalUri = (suffixes: string) =>
  z.string().meta({ description: `Ends with ${suffixes}, under an operator-internal prefix.` });

const identifierEntry = z
  .object({
    type: z
      .object({
        coding: z.array(
          z.object({
            system: text('The HL7 v2-0203 code system, or the CARIN code system of identifier types.'),
            code: text('`MB`, a member number, or `um`, a unique member number.'),
          }),
        ),
        text: z.string().optional(),
      })
      .optional()
      .meta({ description: 'Member identifier and unique member number only.' }),
    system: internalUri(
      '`MEMBER_LIFE_ID` (member identifier), `lob` (line of business), `group` (group number), `plan` (plan code) or `unique_member_id`',
    ),
    value: text('The value of the identifier.'),
  })
  .meta({ id: 'Identifier' });

/**
 * Schema of the Patient (docs/service.md S7.1 to S7.7). A loose object: elements may be added, and clients ignore unknown ones (FHIR R4).
 */
export const patient = z
  .looseObject({
    resourceType: z.literal('Patient'),
    id: text('Resource ID, in a form like a UUID.'),
    meta: z.object({
      versionId: text('Version of the record; also in the `ETag`.'),
      lastUpdated: text('ISO 8601 with fractional seconds and offset.'),
      profile: z.array(z.string()).meta({
        description: 'Profile URLs. Most have a version after a pipe character.',
      }),
    }),
    extension: z
      .array(
        z.object({
          url: text(
            'Ends with `last_updated_date`, `row_id` or `source_id`, under an operator-internal prefix, or is the URL of the US Core extension for race, ethnicity or birth sex.',
          ),
          valueId: text('A date for `last_updated_date`, otherwise an ID.').optional(),
          valueCode: text('The birth sex.').optional(),
          extension: z
            .array(
              z.object({
                url: text('`ombCategory` or `text`.'),
                valueCoding: z.object({ system: z.string(), code: z.string() }).optional(),
                valueString: z.string().optional(),
              }),
            )
            .optional()
            .meta({ description: 'For race and ethnicity.' }),
        }),
      )
      .meta({
        description: 'Identifiers of the record in the plan’s systems, and the member’s own information.',
      }),
    identifier: z.array(identifierEntry),
    name: z.array(
      z.object({
        family: text('Family name.'),
        given: z.array(z.string()).meta({ description: 'First and middle names.' }),
      }),
    ),
    gender: text('`male`, `female`, `other` or `unknown`.'),
    birthDate: z
      .string()
      .regex(/^\d{4}(-\d{2}(-\d{2})?)?$/)
      .meta({
        description:
          'A date. As `application/json`, an unknown month or day is `00` (`1956-00-00`); as `application/fhir+json` it is left out (`1956`).',
      }),
    address: z.array(
      z.object({
        type: text('`postal` for the mailing address, which has a street.').optional(),
        line: z.array(z.string()).optional().meta({ description: 'Street.' }),
        city: text('City.'),
        district: text('County.').optional(),
        state: text('Two-letter state code.'),
        postalCode: text('ZIP code.'),
        country: text('`US`.').optional(),
        period: z.object({
          start: text('A date.'),
          end: text('A date. A period without an end has the date 9999-12-31.'),
        }),
      }),
    ),
    telecom: z
      .array(
        z.object({
          system: text('`phone` or `email`.'),
          value: text('Number or address.'),
          use: text('`home`.'),
        }),
      )
      .optional(),
    deceasedBoolean: z.boolean().optional().meta({ description: 'Whether the member has died.' }),
    communication: z
      .array(
        z.object({
          language: z.object({
            coding: z.array(z.object({ system: z.string(), code: text('BCP 47.') })),
            text: z.string(),
          }),
          preferred: z.boolean(),
        }),
      )
      .optional()
      .meta({ description: 'The member’s preferred languages.' }),
  })
  .meta({ id: 'Patient' });

export const operationOutcome = z
  .object({
    resourceType: z.literal('OperationOutcome'),
    issue: z.array(
      z.object({
        severity: z.enum(['fatal', 'error', 'warning', 'information']),
        code: text('A code of http://hl7.org/fhir/issue-type.'),
        diagnostics: text('Description of the problem, for the application’s developer.'),
      }),
    ),
  })
  .meta({ id: 'OperationOutcome' });

export const capabilityStatementSchema = z
  .looseObject({
    resourceType: z.literal('CapabilityStatement'),
    url: z.string(),
    status: z.string(),
    fhirVersion: z.literal('4.0.1'),
    format: z.array(z.string()),
    rest: z.array(z.looseObject({ mode: z.literal('server') })),
  })
  .meta({ id: 'CapabilityStatement', description: 'Capabilities of this interface (FHIR R4).' });

const codes = <T extends Record<string, unknown>>(table: T) => Object.keys(table) as (keyof T & string)[];

export const tokenError = z
  .object({
    error: z.enum([...codes(tokenErrors), ...codes(serverErrors)]),
    error_description: text('A description of the error for the developer.'),
  })
  .meta({ id: 'TokenError', description: 'RFC 6749 section 5.2.' });

export const bearerErrorSchema = z
  .object({ error: z.enum(codes(bearerErrors)), error_description: z.string() })
  .partial()
  .meta({ id: 'BearerError', description: 'RFC 6750 section 3.1. Empty if no token was sent.' });

/**
 * An error response of API Gateway on the authorization hosts. It uses codes of RFC 6749, also in cases for which no section of the RFC
 * defines one.
 */
export const gatewayError = z
  .object({
    error: z.enum([...codes(tokenErrors), ...codes(serverErrors), 'access_denied']),
    error_description: z.string(),
  })
  .meta({ id: 'OAuthError' });

export const tokenResponse = z
  .object({
    access_token: text('Send it as `Authorization: Bearer`. Treat it as opaque.'),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Lifetime of the access token in seconds.' }),
    scope: text('Granted scopes, separated by spaces; may be less than requested.'),
    patient: text('ID of the Patient to read.'),
    id_token: text('Only with the scope `openid`.').optional(),
    refresh_token: text('With the scope `offline_access` only. Each token can be used once.').optional(),
  })
  .meta({ id: 'TokenResponse' });

export const machineTokenResponse = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Lifetime of the access token in seconds.' }),
    scope: z.string(),
  })
  .meta({ id: 'MachineTokenResponse' });

export const introspection = z
  .discriminatedUnion('active', [
    z.object({ active: z.literal(false) }),
    z.object({
      active: z.literal(true),
      iss: z.string(),
      aud: z.string(),
      sub: z.string(),
      client_id: z.string(),
      scope: z.string(),
      iat: z.int(),
      exp: z.int(),
      patient: z.string(),
      fhirUser: z.string().optional(),
      jti: z.string().optional(),
      token_type: z.literal('Bearer').optional(),
    }),
  ])
  .meta({ id: 'Introspection', description: 'RFC 7662 section 2.2.' });

export const userInfoSchema = z
  .object({ sub: z.string(), fhirUser: text('Only with the scope `fhirUser`.').optional() })
  .meta({ id: 'UserInfo' });

const jwkSet = (alg: 'RS256' | 'RS384') =>
  z.object({
    keys: z.array(
      z.looseObject({
        kty: z.literal('RSA'),
        kid: z.string(),
        alg: z.literal(alg),
        use: z.literal('sig'),
        n: z.string(),
        e: z.string(),
      }),
    ),
  });

export const jwks = jwkSet('RS256').meta({ id: 'JwkSet', description: 'RFC 7517.' });

export const payerJwks = jwkSet('RS384').meta({
  id: 'PayerJwkSet',
  description: 'RFC 7517, with keys for the algorithm of SMART Backend Services.',
});

const metadata = {
  issuer: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
};
const memberMetadata = {
  ...metadata,
  authorization_endpoint: z.string(),
  revocation_endpoint: z.string(),
  introspection_endpoint: z.string(),
  userinfo_endpoint: z.string(),
  code_challenge_methods_supported: z.array(z.string()),
};
export const serverMetadata = z
  .looseObject(memberMetadata)
  .meta({ id: 'AuthorizationServerMetadata', description: 'RFC 8414; OpenID Connect Discovery 1.0.' });
export const smartConfigurationSchema = z
  .looseObject({
    ...memberMetadata,
    management_endpoint: z.string(),
    user_access_brand_bundle: z.string(),
    capabilities: z.array(z.string()),
  })
  .meta({ id: 'SmartConfiguration', description: 'SMART App Launch 2.2.' });
export const backendSmartConfiguration = z
  .looseObject({ ...metadata, capabilities: z.array(z.string()) })
  .meta({ id: 'BackendSmartConfiguration', description: 'SMART App Launch 2.2, Backend Services.' });
export const machineMetadata = z
  .looseObject(metadata)
  .meta({ id: 'MachineServerMetadata', description: 'RFC 8414.' });
