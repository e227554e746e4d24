/** Tests a payer as a run would call it: SMART configuration, token, CapabilityStatement. No member is named. */

import type { PayerFault } from '../../catalog/payer/other-payers.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { describeCapabilities, describeTokenEndpoint } from '../discovery/describe-base.ts';
import type { GuardedWeb } from '../discovery/read-document.ts';
import type { OtherPayer, PayerTestResult } from './other-payer.ts';

/**
 * Requests a token of a payer (SMART Backend Services, `private_key_jwt`) and forgets it.
 *
 * @returns the reason if there is none
 */
export type TryToken = (payer: OtherPayer) => Promise<PayerFault | undefined>;

export interface PayerTest {
  readonly web: GuardedWeb;
  readonly tryToken: TryToken;
  readonly now: Clock;
}

/** Carries out the steps until one fails. A token is requested only where the SMART configuration still names the reviewed token endpoint. */
export async function testPayer(
  { web, tryToken, now }: PayerTest,
  payer: OtherPayer,
): Promise<PayerTestResult> {
  const failed = (step: PayerTestResult['step'], fault: PayerFault): PayerTestResult => ({
    at: new Date(now()).toISOString(),
    step,
    outcome: 'failed',
    fault,
  });
  const token = await describeTokenEndpoint(web, payer.fhirBase);
  if (token.kind === 'fault') return failed('smart-configuration', token.fault);
  if (token.tokenEndpoint !== payer.tokenEndpoint) {
    const { tokenEndpoint } = token;
    return failed('smart-configuration', { code: 'other-token-endpoint', address: tokenEndpoint });
  }
  const refused = await tryToken(payer);
  if (refused !== undefined) return failed('token', refused);
  const capabilities = await describeCapabilities(web, payer.fhirBase);
  if (capabilities.kind === 'fault') return failed('metadata', capabilities.fault);
  return { at: new Date(now()).toISOString(), step: 'metadata', outcome: 'passed' };
}
