/** Records the last day a client secret was used. */

import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import { ConditionFailed, type Table } from '../../platform/table/table.ts';
import { secretUseKey } from '../../platform/table/table-keys.ts';
import type { SecretUses } from '../oauth/client-ports.ts';

/** Maximum number of secrets that an instance remembers as recorded. Beyond it, some are recorded twice. */
const mostRemembered = 10_000;

/**
 * Records the day (UTC) on which each client secret was last used, at most once per secret, issuer, day and instance of a function. The
 * write runs in the background: if Lambda freezes the function first, it ends during the next call; if it fails, the next use tries again.
 *
 * @param now milliseconds since 1970.
 */
export function createSecretUses(table: Table, now: () => number): (issuer: TokenIssuer) => SecretUses {
  let today = '';
  const written = new Set<string>();

  async function write(issuer: TokenIssuer, sha256: string, day: string): Promise<void> {
    await table.put(
      { ...secretUseKey(issuer, sha256), day },
      // Around midnight another instance may have written the next day already.
      {
        expression: 'attribute_not_exists(pk) OR #day < :day',
        names: { '#day': 'day' },
        values: { ':day': day },
      },
    );
  }

  return (issuer) => ({
    used(sha256) {
      const day = new Date(now()).toISOString().slice(0, 10);
      if (day !== today || written.size >= mostRemembered) written.clear();
      today = day;
      const name = `${issuer} ${sha256}`;
      if (written.has(name)) return;
      written.add(name);
      write(issuer, sha256, day).catch((error: unknown) => {
        if (!(error instanceof ConditionFailed)) written.delete(name);
      });
    },
  });
}
