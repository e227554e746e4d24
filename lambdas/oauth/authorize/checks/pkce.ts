import { needsPkce } from '../../client.ts';
import { parameterOf } from '../../parameters.ts';
import { type RedirectCheck, refuse } from './asked.ts';

/** Base64url of a SHA-256: 43 characters (RFC 7636 section 4.2). */
const challenge = /^[A-Za-z0-9_-]{43}$/;

/** RFC 7636 section 4.4.1. A challenge without method would mean `plain`, which is refused (RFC 9700 section 2.1.1). */
export const codeChallengeIsS256: RedirectCheck = ({ parameters, client }) => {
  const sent = parameterOf(parameters, 'code_challenge');
  const method = parameterOf(parameters, 'code_challenge_method');
  if (sent === undefined && method === undefined) {
    return needsPkce(client) ? refuse('invalid_request', 'code_challenge is missing') : undefined;
  }
  if (sent === undefined) return refuse('invalid_request', 'code_challenge is missing');
  if (method !== 'S256') return refuse('invalid_request', 'code_challenge_method must be S256');
  return challenge.test(sent)
    ? undefined
    : refuse('invalid_request', 'code_challenge must be the base64url of a SHA-256');
};
