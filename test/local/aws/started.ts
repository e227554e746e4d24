import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AwsEndpoint, type AwsEndpointDeps, startAwsEndpoint } from '../../../local/aws/endpoint.ts';
import { localSecretAccessKey } from '../../../local/aws/iam/presigned.ts';
import { region, roleArn } from './declarations.ts';

/** A running AWS endpoint with a state folder of its own, and client configurations to reach it. */
export interface Started extends AwsEndpoint {
  readonly stateDirectory: string;
  readonly lines: string[];
  /** Client configuration of the function that runs in the role `reader`. */
  readonly asFunction: ClientConfiguration;
  readonly asOperator: ClientConfiguration;
  readonly asNobody: ClientConfiguration;
  stopAndForget(): Promise<void>;
}

export interface ClientConfiguration {
  readonly endpoint: string;
  readonly region: string;
  readonly maxAttempts: number;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export async function started(
  deps: Pick<AwsEndpointDeps, 'assembly'> & Partial<AwsEndpointDeps>,
): Promise<Started> {
  const stateDirectory = deps.stateDirectory ?? mkdtempSync(join(tmpdir(), 'aws-endpoint-'));
  const lines: string[] = [];
  const endpoint = await startAwsEndpoint({
    invoke: async () => {
      throw new Error('no function was to be invoked');
    },
    callers: new Map(deps.assembly.byArn(roleArn) === undefined ? [] : [['AKFUNCTION', { roleArn }]]),
    log: (line) => lines.push(line),
    ...deps,
    stateDirectory,
  });
  const client = (accessKeyId: string): ClientConfiguration => ({
    endpoint: endpoint.endpoint,
    region,
    maxAttempts: 1,
    credentials: { accessKeyId, secretAccessKey: localSecretAccessKey },
  });
  return {
    ...endpoint,
    stateDirectory,
    lines,
    asFunction: client('AKFUNCTION'),
    asOperator: client('local-operator'),
    asNobody: client('AKNOBODY'),
    async stopAndForget() {
      await endpoint.stop();
      rmSync(stateDirectory, { recursive: true, force: true });
    },
  };
}
