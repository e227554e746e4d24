/** Local KMS: use of a key through another service. */

import type { Assembly, Resource } from '../../assembly/resources.ts';
import type { Caller } from '../protocol/service.ts';
import { authorizeByKeyPolicy } from './key-policy.ts';

/** Asks whether a caller may use a key through a service that encrypts with it. */
export type KeyUse = (caller: Caller, action: string, keyId: string) => void;

/**
 * A service that keeps data under a customer-managed key uses it in the caller's name: the caller needs the right to
 * it, `kms:ViaService` telling by which service. A key outside the templates is asked of the caller's policies only.
 * Source: KMS developer guide, "kms:ViaService".
 *
 * @param service `dynamodb` or `secretsmanager`.
 */
export function keyUseVia(assembly: Assembly, service: string): KeyUse {
  return (caller, action, keyId) => {
    const key = findKey(assembly, keyId);
    const arn = key?.arn ?? keyId;
    const region = arn.split(':')[3] ?? '';
    const context = { 'kms:viaservice': [`${service}.${region}.amazonaws.com`] };
    caller.authorize(action, arn, context);
    if (key !== undefined) {
      authorizeByKeyPolicy({ arn, policy: key.properties.KeyPolicy }, caller, action, context);
    }
  };
}

function findKey(assembly: Assembly, name: string): Resource | undefined {
  const alias = assembly
    .ofType('AWS::KMS::Alias')
    .find(({ physicalId, arn }) => physicalId === name || arn === name);
  const wanted = alias === undefined ? name : String(alias.properties.TargetKeyId);
  return assembly
    .ofType('AWS::KMS::Key')
    .find(({ physicalId, arn }) => physicalId === wanted || arn === wanted);
}
