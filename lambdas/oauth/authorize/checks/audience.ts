import { parameterOf, valuesOf } from '../../parameters.ts';
import { type RedirectCheck, refuse } from './asked.ts';

/**
 * SMART App Launch 2.2: `aud` is REQUIRED and must be the resource server's address, lest an application led to a
 * counterfeit server hand our token to it. One trailing slash is forgiven.
 */
export const audienceIsOurs: RedirectCheck = ({ parameters, audience }) => {
  const sent = parameterOf(parameters, 'aud');
  if (sent === undefined) return refuse('invalid_request', `aud is missing: it must be ${audience}`);
  return sent === audience || sent === `${audience}/`
    ? undefined
    : refuse('invalid_request', `aud must be ${audience}`);
};

/** RFC 8707 section 2: `resource` may come more than once, and names the same server here. */
export const resourceIsOurs: RedirectCheck = ({ parameters, audience }) =>
  valuesOf(parameters, 'resource').every((sent) => sent === audience || sent === `${audience}/`)
    ? undefined
    : refuse('invalid_target', `resource must be ${audience}`);
