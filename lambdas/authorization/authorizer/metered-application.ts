/** Finds the application of a token whose call has no subscription key, so that its usage plan can meter it. */

import { interfaceNames } from '../../catalog/interface-families.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import * as s from '../../platform/kernel/shapes.ts';
import type { Table } from '../../platform/table/table.ts';
import { applicationKey } from '../../platform/table/table-keys.ts';
import { type KeyVerdict, verifySubscriptionKey } from './subscription-key.ts';

/** Item of an application, read for calls without a subscription key (docs/architecture.md, Items). */
const applicationItem = s.object({
  clientId: s.text,
  products: s.arrayOf(s.oneOf(interfaceNames)),
  state: s.oneOf(['active', 'suspended', 'revoked']),
  meteringKey: s.text,
});

/** Looks up the application of a verified token with one strongly consistent read, which is not cached. */
export type MeteredApplications = (clientId: string) => Promise<KeyVerdict>;

export function createMeteredApplications(table: Table, lob: LineOfBusiness): MeteredApplications {
  return async (clientId) => {
    const item = await table.get(applicationKey(lob, clientId));
    const known = item === undefined ? undefined : s.parse(applicationItem, item);
    // The current time does not matter, because an application has no `expiresAt`.
    return verifySubscriptionKey(known, 0);
  };
}
