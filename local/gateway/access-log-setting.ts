/** Local API Gateway: reads the access log settings of a stage. */

import { AssemblyError } from '../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../assembly/resources.ts';

/** The log group and format of a stage's access log, which has a line for each call. */
export interface AccessLogSetting {
  readonly logGroup: string;
  /** Text with `$context` variables. */
  readonly format: string;
}

/**
 * Reads a stage's `AccessLogSetting`.
 *
 * @throws AssemblyError if it isn't a log group of the templates: API Gateway refuses one that doesn't exist, and delivery streams are not
 * supported here.
 */
export function readAccessLog(assembly: Assembly, stage: Resource): AccessLogSetting | undefined {
  const { DestinationArn, Format } = (stage.properties.AccessLogSetting ?? {}) as Readonly<
    Record<string, unknown>
  >;
  if (DestinationArn === undefined || Format === undefined) return undefined;
  const wanted = String(DestinationArn).replace(/:\*$/, '');
  const group = assembly.ofType('AWS::Logs::LogGroup').find(({ arn }) => arn.replace(/:\*$/, '') === wanted);
  if (group === undefined) {
    throw new AssemblyError(
      `stack ${stage.stack}: ${stage.logicalId}: no template declares the access log's group ${wanted}`,
    );
  }
  return { logGroup: group.physicalId, format: String(Format).trim() };
}
