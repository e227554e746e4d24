import type { Resource } from '../../assembly/resources.ts';
import type { PublishMetric } from '../../cloudwatch/metrics.ts';
import type { ServiceLimits } from '../../limits/limits.ts';
import type { RoleSession } from '../iam/callers.ts';

/** The data that DynamoDB's thread starts with. */
export interface ServiceData {
  readonly resources: readonly Resource[];
  readonly callers: ReadonlyMap<string, RoleSession>;
  readonly engineEndpoint: string;
  /** Port of its address; 0 for any free one. */
  readonly port: number;
  /** The limits of AWS that are kept; none where absent. */
  readonly limits?: ServiceLimits;
  /** Whether each call is reported. */
  readonly tellsCalls: boolean;
}

/** A message of DynamoDB's thread: its address, a line for the log, one about a call, or a metric. */
export type ServiceMessage =
  | { readonly kind: 'listening'; readonly endpoint: string }
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'call'; readonly line: string }
  | { readonly kind: 'metric'; readonly metric: Parameters<PublishMetric> };
