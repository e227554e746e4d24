import { compactVerify, decodeProtectedHeader } from 'jose';
import type { VerificationKeys } from '../../../lambdas/authorization/authorizer/verification-keys.ts';

/** Whether the published keys verify a token's signature. */
export async function verifies(token: string, keys: VerificationKeys): Promise<boolean> {
  const key = await keys(decodeProtectedHeader(token).kid ?? '');
  if (key === undefined) return false;
  await compactVerify(token, key, { algorithms: ['RS256'] });
  return true;
}
