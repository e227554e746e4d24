/** Finds the application of a token whose call has no subscription key, so that its usage plan can meter it. */

import * as z from 'zod/mini';
import { interfaceNames } from '../catalog/interfaces.ts';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import { applicationKey } from '../storage/table-keys.ts';
import type { Table } from '../table/table.ts';
import { type KeyVerdict, verifySubscriptionKey } from './subscription-key.ts';

/** Item of an application, for calls that come without a subscription key (docs/architecture.md, Items). */
const applicationItem = z.object({
  clientId: z.string(),
  products: z.array(z.enum(interfaceNames)),
  state: z.enum(['active', 'suspended', 'revoked']),
  meteringKey: z.string(),
});

/** Looks the application of a verified token up: one strongly consistent read, remembered no longer than a key's is. */
export type MeteredApplications = (clientId: string) => Promise<KeyVerdict>;

export function createMeteredApplications(table: Table, lob: LineOfBusiness): MeteredApplications {
  return async (clientId) => {
    const item = await table.get(applicationKey(lob, clientId));
    const known = item === undefined ? undefined : applicationItem.parse(item);
    // Without an end: what has one is a key that is sent.
    return verifySubscriptionKey(known, 0);
  };
}
