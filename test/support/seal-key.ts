/** A key that signs seals in tests and benchmarks, in place of KMS. */

import { generateKeyPairSync, sign, verify } from 'node:crypto';
import type { SealSigner, SealVerifier } from '../../lambdas/audit/trail/audit-ports.ts';

/** Makes a key on P-256, with the ports of sealing and verification. */
export function createSealKey(keyId = 'key-1') {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer: SealSigner = {
    keyId,
    sign: async (text) => sign('sha256', Buffer.from(text), privateKey).toString('base64'),
  };
  const isSigned: SealVerifier = async (text, seal) =>
    seal.keyId === keyId &&
    verify('sha256', Buffer.from(text), publicKey, Buffer.from(seal.signature, 'base64'));
  return { publicKey, signer, isSigned };
}
