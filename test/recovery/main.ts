/** Entry of the drills (`npm run drill -- NAME`). */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { UsageError } from '../../ops/command-line/command-line.ts';
import { createInvoke } from '../../ops/command-line/invoke.ts';
import { awsConfiguration, localOrigins, readLocalSystem } from '../../ops/command-line/system.ts';
import { exitCodeOf, processTerminal } from '../../ops/command-line/terminal.ts';
import { Unexpected } from '../../ops/demo/expect.ts';
import { createMask } from '../../ops/demo/mask.ts';
import { createScene } from '../../ops/demo/scene.ts';
import { createTranscript } from '../../ops/demo/transcript.ts';
import { createHttp } from '../../ops/http/client.ts';
import { recoveryTable } from '../../ops/recovery/dynamodb-tables.ts';
import { type DrillDeps, drillRestoredTable } from './restored-table.ts';

const drills: Readonly<Record<string, (deps: DrillDeps) => Promise<void>>> = {
  'restored-table': drillRestoredTable,
};

process.exitCode = await exitCodeOf(
  async () => {
    const [name = '', ...others] = process.argv.slice(2);
    const drill = Object.hasOwn(drills, name) ? drills[name] : undefined;
    if (drill === undefined || others.length > 0)
      throw new UsageError(`expected one of the drills ${Object.keys(drills).join(', ')}`);
    const deps = drillDeps();
    try {
      await drill(deps);
      return 0;
    } catch (error) {
      if (!(error instanceof Unexpected)) throw error;
      processTerminal.err(`FAILED ${name}: ${error.message}`);
      return 1;
    }
  },
  'npm run drill -- restored-table',
  processTerminal,
);

function drillDeps(): DrillDeps {
  const system = readLocalSystem();
  const tableName = system?.outputs?.['sandbox-Data']?.TableName;
  const operatorGrantsFunction = system?.functions.sandbox.operatorGrants;
  if (system === undefined || tableName === undefined || operatorGrantsFunction === undefined)
    throw new UsageError('no local system is running; run `npm start` first');
  const scene = createScene({
    environment: 'sandbox',
    lob: 'DSNP',
    origins: localOrigins(system, 'sandbox'),
    provisioningFunction: system.functions.sandbox.provisioning,
    invoke: createInvoke(system),
    transcript: createTranscript(createHttp(), createMask(), () => {}),
  });
  const client = new DynamoDBClient(awsConfiguration(system));
  return {
    scene,
    tableOf: (partitions) => recoveryTable(client, tableName, partitions),
    operatorGrantsFunction,
    print: processTerminal.out,
  };
}
