import { readFileSync } from 'node:fs';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineMissing, findEngine, startEngine } from '../../../local/aws/dynamodb/engine.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';

describe('the embedded DynamoDB engine', () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await startTestEngine();
  });
  afterAll(async () => {
    await engine.stop();
  });

  it('returns the item that was put', async () => {
    const item = { pk: { S: 'a' }, sk: { S: 'b' }, n: { N: '7' } };
    await engine.client.send(new PutItemCommand({ TableName: engine.tableName, Item: item }));
    const answer = await engine.client.send(
      new GetItemCommand({ TableName: engine.tableName, Key: { pk: item.pk, sk: item.sk } }),
    );
    expect(answer.Item).toEqual(item);
  });

  it.runIf(process.platform === 'linux')('is out of reach of a terminal’s Ctrl-C', async () => {
    const { pid, stop } = await startEngine();
    // "pid (comm) state ppid pgrp …", proc(5).
    const group = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[2];
    await stop();
    expect(group).toBe(String(pid));
  });

  it('says what to do on a machine that has no binary', () => {
    expect(() => findEngine('', 'plan9-mips')).toThrow(EngineMissing);
    expect(() => findEngine('', 'plan9-mips')).toThrow(/dynoxide.*AWS_ENDPOINT_URL_DYNAMODB/);
  });
});
