import { needsPkce } from '../../client.ts';
import { parameterOf } from '../../parameters.ts';
import { type RedirectCheck, refuse } from './asked.ts';

/**
 * They come back to the application unchanged; longer ones would not fit in a redirect: API Gateway's headers hold
 * 10,240 bytes, and a character outside ASCII becomes up to twelve.
 */
const longest = 2_000;
const longestEncoded = 3 * longest;

/** Whether a `state` or `nonce` can come back as it was sent. */
export function opaqueValueFits(value: string | undefined): boolean {
  if (value === undefined) return true;
  return (
    value.length <= longest && new URLSearchParams([['', value]]).toString().length - 1 <= longestEncoded
  );
}

export const opaqueValuesFit: RedirectCheck = ({ parameters }) => {
  const name = ['state', 'nonce'].find((opaque) => !opaqueValueFits(parameterOf(parameters, opaque)));
  return name === undefined
    ? undefined
    : refuse(
        'invalid_request',
        `${name} is longer than ${longest} characters or ${longestEncoded} bytes encoded`,
      );
};

/** Without PKCE, `state` is the application's only defence against a code slipped to it (RFC 9700 section 2.1.1). */
export const stateWithoutPkce: RedirectCheck = ({ parameters, client }) => {
  const bound = needsPkce(client) || parameterOf(parameters, 'code_challenge') !== undefined;
  return bound || parameterOf(parameters, 'state') !== undefined
    ? undefined
    : refuse('invalid_request', 'state is required where PKCE is not used');
};
