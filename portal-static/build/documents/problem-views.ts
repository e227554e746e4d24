import * as z from 'zod';
import { clientJwk, clientJwks } from '../../../lambdas/catalog/oauth/client-jwks.ts';
import { type ApplicationConfiguration, screens } from '../../../lambdas/portal/api/applications.ts';
import type * as views from '../../../lambdas/portal/api/views.ts';
import { portalProblems } from '../../../lambdas/portal/catalog/problems.ts';
import { names, optional, view } from './view-schemas.ts';

/** Response schemas of an application's configuration, of problems and of the bot check. */

// Loose, because unknown members of a JWK Set and of its keys are ignored (RFC 7517 sections 4 and 5).
for (const schema of [clientJwks, ...clientJwk.def.options]) {
  z.globalRegistry.add(schema, { additionalProperties: {} });
}

const configurationShape = {
  ...screens.registration.shape,
  ...screens.uris.shape,
  ...screens.contact.shape,
};
export const configuration = view<ApplicationConfiguration>()(
  z.strictObject(configurationShape),
  'ApplicationConfiguration',
  'An application as its developer describes it. Rules between fields are reported with the problem `invalid_request`.',
);
export const configurationField = z.enum(names(configurationShape));

export const preflightCheck = view<views.PreflightCheck>()(
  z.object({
    id: z.string(),
    title: z.string(),
    result: z.enum(['pass', 'warn', 'fail', 'skipped']),
    detail: z.string(),
    field: optional(configurationField),
  }),
  'PreflightCheck',
);
export const preflightChecks = z.object({ checks: z.array(preflightCheck) }).meta({ id: 'Preflight' });

const problemField = view<views.ProblemField>()(
  z.object({
    pointer: z.string().meta({ description: 'JSON pointer (RFC 6901) into the request.' }),
    code: z.enum(['unknown_field', 'missing', 'invalid', 'taken', 'known_password', 'not_us_number']),
    expected: z.string().meta({ description: 'Description of the expected value.' }),
  }),
  'ProblemField',
);

export const problemDetails = view<views.ProblemDetails>()(
  z.object({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    detail: z.string(),
    code: z.enum(names(portalProblems)),
    requestId: z.string(),
    errors: optional(z.array(problemField)),
    state: optional(z.string()),
    allowed: optional(z.array(z.string())),
    current: optional(z.unknown()),
    changed: optional(z.array(z.string())),
    triesLeft: optional(z.number()),
    retryAfter: optional(z.number()),
    limit: optional(z.number()),
    version: optional(z.string()),
    checks: optional(z.array(preflightCheck)),
  }),
  'ProblemDetails',
  'RFC 9457 problem details with extensions of this API.',
);

export const botCheck = view<views.BotCheckView>()(
  z.union([
    z.object({ provider: z.literal('recaptcha'), siteKey: z.string() }),
    z.object({ provider: z.literal('altcha'), challenge: z.unknown() }),
  ]),
  'BotCheck',
);
