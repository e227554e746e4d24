/** Command `audit keys`. */

import type { SealKeysAnswer } from '../lambdas/audit/trail/verification-contract.ts';
import { type CommandContext, functionName } from './command-line/operation.ts';
import type { ExitCode } from './command-line/terminal.ts';

/**
 * `audit keys`: prints the public keys of the seals. The lines before a PEM block are explanatory text (RFC 7468 section 2), so that the
 * output is a key file too.
 */
export async function auditKeys(operation: CommandContext): Promise<ExitCode> {
  const { values, print } = operation;
  const request = { question: 'seal-keys' };
  const { keys } = (await operation.invoke(
    functionName(operation, 'auditVerify'),
    request,
  )) as SealKeysAnswer;
  if (values.json === true) print(JSON.stringify(keys, undefined, 2));
  else {
    print(
      keys
        .map(
          ({ keyId, publicKey, fingerprint }) =>
            `key ${keyId}\nSHA-256 ${fingerprint}\n${publicKey.trimEnd()}`,
        )
        .join('\n\n'),
    );
  }
  return 0;
}
