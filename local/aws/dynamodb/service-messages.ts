import type { Resource } from '../../assembly/resources.ts';
import type { PublishMetric } from '../../cloudwatch/metrics.ts';
import type { ServiceLimits } from '../../limits/limits.ts';
import type { RoleSession } from '../iam/callers.ts';

/** Data that the DynamoDB thread is started with. */
export interface ServiceData {
  readonly resources: readonly Resource[];
  readonly callers: ReadonlyMap<string, RoleSession>;
  readonly engineEndpoint: string;
  /** Port of the endpoint; 0 for any free port. */
  readonly port: number;
  /** The AWS limits that are enforced; absent for none. */
  readonly limits?: ServiceLimits;
  /** Whether to send a message for each call. */
  readonly tellsCalls: boolean;
}

/** A message from the DynamoDB thread: its address, a log line, a line about a call, or a metric. */
export type ServiceMessage =
  | { readonly kind: 'listening'; readonly endpoint: string }
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'call'; readonly line: string }
  | { readonly kind: 'metric'; readonly metric: Parameters<PublishMetric> };
