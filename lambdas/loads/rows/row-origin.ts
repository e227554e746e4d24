/** Keeps received resources apart from the plan's own: by their IDs, their source, and what they refer to. */

import { isReceivedId, isReservedId } from '../../catalog/payer/received-resources.ts';
import { jsonMember } from '../../platform/kernel/json-members.ts';
import type { RecordProduct } from '../ledger/load-products.ts';
import type { RejectCode } from '../ledger/rejects.ts';
import type { ChangeRow } from './change-rows.ts';

/** The parts of a resource's row that its origin shows in. */
interface NamedRow {
  readonly id: string;
  readonly content: unknown;
  readonly references: readonly { readonly id: string; readonly element: string }[];
}

interface OriginFault {
  readonly code: Extract<RejectCode, 'reserved_id' | 'not_received' | 'no_source'>;
  readonly element: string;
}

/**
 * Finds the fault of a resource that is not of its drop's product. A resource of the plan may not refer to a received one: that may be
 * withdrawn when the member stops the exchange.
 */
export function originFault(row: NamedRow, product: RecordProduct): OriginFault | undefined {
  const names = [{ id: row.id, element: 'id' }, ...row.references];
  if (product === 'members') {
    const reserved = names.find(({ id }) => isReservedId(id));
    return reserved && { code: 'reserved_id', element: reserved.element };
  }
  const other = names.find(({ id }) => !isReceivedId(id));
  if (other !== undefined) return { code: 'not_received', element: other.element };
  const source = jsonMember(jsonMember(row.content, 'meta'), 'source');
  return isAbsoluteUrl(source) ? undefined : { code: 'no_source', element: 'meta.source' };
}

/** Finds the fault of a change of something that is not of the drop's product. */
export function changeOriginFault(row: ChangeRow, product: RecordProduct): OriginFault | undefined {
  const withdrawn = row.kind === 'withdrawal' ? row.resource.id : undefined;
  if (product === 'members') {
    const isReserved = withdrawn !== undefined && isReservedId(withdrawn);
    return isReserved ? { code: 'reserved_id', element: 'parameter.withdraw' } : undefined;
  }
  const isOwn = withdrawn !== undefined && isReceivedId(withdrawn);
  return isOwn ? undefined : { code: 'not_received', element: 'parameter' };
}

function isAbsoluteUrl(text: unknown): boolean {
  return typeof text === 'string' && /^https?:\/\/[^\s/]+/.test(text);
}
