import { needsPkce } from '../client.ts';
import { parameterOf } from '../parameters.ts';
import { type RedirectCheck, refuse } from './asked.ts';

/** They come back to the application unchanged; longer ones would not fit in a redirect. */
const longest = 2_000;

export const opaqueValuesFit: RedirectCheck = ({ parameters }) => {
  const name = ['state', 'nonce'].find((opaque) => (parameterOf(parameters, opaque)?.length ?? 0) > longest);
  return name === undefined
    ? undefined
    : refuse('invalid_request', `${name} is longer than ${longest} characters`);
};

/** Without PKCE, `state` is the application's only defence against a code slipped to it (RFC 9700 section 2.1.1). */
export const stateWithoutPkce: RedirectCheck = ({ parameters, client }) => {
  const bound = needsPkce(client) || parameterOf(parameters, 'code_challenge') !== undefined;
  return bound || parameterOf(parameters, 'state') !== undefined
    ? undefined
    : refuse('invalid_request', 'state is required where PKCE is not used');
};
