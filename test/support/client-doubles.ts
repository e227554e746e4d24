/**
 * Mocks of AWS clients for the tests of one file.
 *
 * A mock replaces `send` on the client's class. Files of the unit project share the modules of their worker, so a mock that is left would
 * also answer the calls of the next file: `shared-worker.ts` restores the classes when a file ends.
 */
import { mockClient as replaceSend } from 'aws-sdk-client-mock';

const doubles: { restore(): void }[] = [];

/**
 * Replaces `send` of a client's class until the tests of the file have ended. Takes and returns the same as `mockClient` of
 * `aws-sdk-client-mock`.
 */
export const mockClient = ((client: Parameters<typeof replaceSend>[0]) => {
  const double = replaceSend(client);
  doubles.push(double);
  return double;
}) as typeof replaceSend;

/** Restores `send` of every replaced class. */
export function restoreClients(): void {
  for (const double of doubles.splice(0)) double.restore();
}
