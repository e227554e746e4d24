import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { createInvoke } from '../../ops/command-line/invoke.ts';
import { awsConfiguration } from '../../ops/command-line/system.ts';
import { createMask } from '../../ops/demo/mask.ts';
import { createScene } from '../../ops/demo/scene.ts';
import { createTranscript } from '../../ops/demo/transcript.ts';
import { recoveryTable } from '../../ops/recovery/dynamodb-tables.ts';
import { drillRestoredTable } from '../recovery/restored-table.ts';
import { http, originsOf, runningSystem } from './journey.ts';

/** The drills of docs/recovery.md, against the running system. */

it('a table restored to an earlier minute has its data, and nothing that was ended since', async () => {
  const system = runningSystem();
  const lines: string[] = [];
  await drillRestoredTable({
    scene: createScene({
      environment: 'sandbox',
      lob: 'DSNP',
      origins: originsOf('sandbox'),
      provisioningFunction: system.functions.sandbox.provisioning,
      invoke: createInvoke(system),
      transcript: createTranscript(http, createMask(), () => {}),
    }),
    tableOf: (partitions) =>
      recoveryTable(
        new DynamoDBClient(awsConfiguration(system)),
        system.outputs?.['sandbox-Data']?.TableName ?? '',
        partitions,
      ),
    operatorGrantsFunction: system.functions.sandbox.operatorGrants ?? '',
    print: (line) => lines.push(line),
  });
  expect(lines.join('\n')).toMatch(/grants: 1 written, 0 removed/);
  expect(lines.at(-1)).toMatch(/^14:25 {2}the Patient is right; the ended application gets 401/);
});
