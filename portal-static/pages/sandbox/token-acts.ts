/** Acts on the token at hand: renews it, lets it expire, revokes its grant. */

import { authorizationServerEndpoints, machineTokenEndpoint } from '../../../lambdas/catalog/addresses.ts';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { type Exchange, jsonOf, send } from './exchange.ts';
import { type LessonStep, proven, type Sign, waitFor } from './lesson.ts';
import {
  machineTokenCall,
  type Origins,
  refreshCall,
  revocationCall,
  type SandboxClient,
} from './try-model.ts';
import type { TokenAtHand } from './workbench-model.ts';

/** An act of the workbench on its token. */
export interface TokenAct {
  readonly name: string;
  readonly run: () => Promise<LessonStep>;
}

/** Lifetime of a token that is to expire, in seconds; and milliseconds after which it has. */
const brief = { seconds: 1, expiredAfterMs: 2000 } as const;

const expiredWords =
  'The token was valid for one second, which is over. The next call is refused with 401, until you get a new token.';

/** Acts on a token that a member consented to. Without a refresh token only its grant can be revoked. */
export function memberTokenActs(
  { origins, lob, client, sign }: ClientOfMember,
  { accessToken, refreshToken }: TokenAtHand,
): readonly TokenAct[] {
  const { token, revocation } = authorizationServerEndpoints(origins, lob);
  const refresh = async (seconds?: number) => {
    const proof = await proven(client, sign, token);
    return await send(refreshCall(origins, lob, proof, refreshToken ?? '', seconds));
  };
  const revoke = async () => {
    const exchange = await send(
      revocationCall(origins, lob, await proven(client, sign, revocation), accessToken),
    );
    return {
      exchange,
      lesson:
        'The grant and all its tokens have ended, as when a member stops sharing. The next call is refused with 401. Get a fresh code to continue.',
    };
  };
  const byRefreshToken: readonly TokenAct[] = [
    {
      name: 'Renew the token',
      run: async () => ({
        ...withWords(await refresh(), 'The refresh token brought a new access token, and its own successor.'),
      }),
    },
    { name: 'Let the token expire', run: async () => await expired(await refresh(brief.seconds)) },
  ];
  return [...(refreshToken === undefined ? [] : byRefreshToken), { name: 'Revoke the grant', run: revoke }];
}

export interface ClientOfMember {
  readonly origins: Origins;
  readonly lob: LineOfBusiness;
  readonly client: SandboxClient;
  readonly sign: Sign | undefined;
}

/** Acts on a back-end service's own token. */
export function machineTokenActs({
  origins,
  client,
  sign,
  scope,
}: Omit<ClientOfMember, 'lob'> & { readonly scope: string }): readonly TokenAct[] {
  const request = async (seconds?: number) => {
    const proof = await proven(client, sign, machineTokenEndpoint(origins));
    return await send(machineTokenCall(origins, proof, scope, seconds));
  };
  return [
    {
      name: 'Get a new token',
      run: async () => withWords(await request(), 'The next calls use this token.'),
    },
    { name: 'Let the token expire', run: async () => await expired(await request(brief.seconds)) },
  ];
}

async function expired(exchange: Exchange): Promise<LessonStep> {
  if (isIssued(exchange)) await waitFor(brief.expiredAfterMs);
  return withWords(exchange, expiredWords);
}

function withWords(exchange: Exchange, words: string): LessonStep {
  return {
    exchange,
    lesson: isIssued(exchange)
      ? words
      : 'The token endpoint refused the request. `error_description` says what was expected. Get a fresh code to continue.',
  };
}

function isIssued(exchange: Exchange): boolean {
  return typeof jsonOf(exchange).access_token === 'string';
}
