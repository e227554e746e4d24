/** Reads JSON documents from addresses of other payers. */

import { otherPayerLimits, type PayerFault } from '../../catalog/payer/other-payers.ts';
import { repeatsMember } from '../../platform/kernel/json-faults.ts';
import { isDeeperThan } from '../../platform/kernel/json-levels.ts';
import { isJsonObject, jsonValue } from '../../platform/kernel/json-members.ts';
import { type AddressRules, addressFault } from '../payers/payer-address.ts';
import type { PayerWeb } from './payer-web-port.ts';

/** The web, and the addresses that are admitted on it. */
export interface GuardedWeb {
  readonly web: PayerWeb;
  readonly rules: AddressRules;
}

export type ReadDocument =
  | { readonly kind: 'document'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'fault'; readonly fault: PayerFault };

const redirects: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Reads a JSON object. Redirects are followed to admitted addresses only; from https to https only, so that no redirect leads a deployed or
 * local system to its own machine.
 */
export async function readDocument({ web, rules }: GuardedWeb, address: string): Promise<ReadDocument> {
  let at = address;
  for (let hops = 0; hops <= otherPayerLimits.redirects; hops += 1) {
    const refused = addressFault(at, rules);
    if (refused !== undefined) return faulty({ code: refused, address: at });
    const answer = await web(at, { headers: { accept: 'application/fhir+json, application/json' } });
    if (answer.kind === 'failed') return faulty({ code: answer.code, address: at });
    if (!redirects.includes(answer.status)) return jsonObject(answer, at);
    const { location } = answer.headers;
    const next = typeof location === 'string' ? URL.parse(location, at) : null;
    if (next === null) return faulty({ code: 'wrong-status', address: at, detail: String(answer.status) });
    if (at.startsWith('https:') && next.protocol !== 'https:') {
      return faulty({ code: 'not-https', address: shortened(next.href) });
    }
    at = shortened(next.href);
  }
  return faulty({ code: 'too-many-redirects', address });
}

function jsonObject(
  { status, headers, text }: { readonly status: number; readonly headers: object; readonly text: string },
  address: string,
): ReadDocument {
  if (status !== 200) return faulty({ code: 'wrong-status', address, detail: String(status) });
  const { 'content-type': type = '' } = headers as Readonly<Record<string, unknown>>;
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(String(type))) {
    return faulty({ code: 'not-json', address });
  }
  const value = jsonValue(text);
  if (!isJsonObject(value)) return faulty({ code: 'not-json', address });
  if (isDeeperThan(value, otherPayerLimits.levels) || repeatsMember(text)) {
    return faulty({ code: 'too-deep', address });
  }
  return { kind: 'document', value };
}

function faulty(fault: PayerFault): ReadDocument {
  return { kind: 'fault', fault };
}

/** An address that another payer chose, as long as reports may have it. */
const shortened = (address: string) => address.slice(0, 500);
