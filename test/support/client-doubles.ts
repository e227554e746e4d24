/**
 * Doubles of AWS clients for the tests of one file.
 *
 * A double replaces `send` on the client's class. Files of the unit project share their worker's modules, so a double that is left
 * would answer the next file's calls too: `unit-setup.ts` restores those of each file when it ends.
 */
import { mockClient as replaceSend } from 'aws-sdk-client-mock';

const doubles: { restore(): void }[] = [];

/** Replaces `send` of a client's class, until the file's tests are over. Takes and returns what `aws-sdk-client-mock` does. */
export const mockClient = ((client: Parameters<typeof replaceSend>[0]) => {
  const double = replaceSend(client);
  doubles.push(double);
  return double;
}) as typeof replaceSend;

/** Gives every replaced class its own `send` back. */
export function restoreClients(): void {
  for (const double of doubles.splice(0)) double.restore();
}
