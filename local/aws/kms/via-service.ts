/** Local KMS: checks the use of a key through another service. */

import type { Assembly, Resource } from '../../assembly/resources.ts';
import type { Caller } from '../protocol/service.ts';
import { authorizeByKeyPolicy } from './key-policy.ts';

/** Checks whether a caller may use a key through a service that encrypts with it. */
export type KeyUse = (caller: Caller, action: string, keyId: string) => void;

/**
 * Makes the check for a service that stores data encrypted with a customer-managed key. The service uses the key on behalf of the caller,
 * who needs the right to it, with the service in `kms:ViaService`. For a key outside the templates only the caller's policies are checked.
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
  return assembly.ofType('AWS::KMS::Key').find(({ physicalId, arn }) => physicalId === name || arn === name);
}
