import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOptions } from '../../local/options.ts';

const read = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  readOptions(args, environment, '/project');

describe('readOptions', () => {
  it('serves on 8080 with its state in .local unless told otherwise', () => {
    expect(read([])).toEqual({
      port: 8080,
      fresh: false,
      verbose: false,
      help: false,
      personas: true,
      limits: 'local',
      accountGaps: new Set(),
      stateDirectory: '/project/.local',
      context: {},
    });
  });

  it('hands the CDK app’s context on', () => {
    const { context } = read(['--context', 'sandbox.subscriptionKey=optional', '--context', 'a=b=c']);
    expect(context).toEqual({ 'sandbox.subscriptionKey': 'optional', a: 'b=c' });
  });

  it('takes the port from --port before PORT', () => {
    expect(read([], { PORT: '9000' }).port).toBe(9000);
    expect(read(['--port', '9001'], { PORT: '9000' }).port).toBe(9001);
  });

  it('takes a variable that is set to nothing as none', () => {
    expect(read([], { PORT: '' }).port).toBe(8080);
  });

  it('makes the state folder absolute', () => {
    expect(read(['--state', 'here']).stateDirectory).toBe(join(process.cwd(), 'here'));
  });

  it('explains itself', () => {
    expect([read(['--help']).help, read(['-h']).help]).toEqual([true, true]);
  });

  it('keeps AWS’s quotas scaled to this machine unless told otherwise', () => {
    expect(read(['--limits', 'off']).limits).toBe('off');
    expect(() => read(['--limits', 'some'])).toThrow('--limits some is invalid; use aws, local, off');
  });

  it('lets the account lack what is named', () => {
    const { accountGaps } = read(['--account-lacks', 'mail', '--account-lacks', 'bootstrap']);
    expect(accountGaps).toEqual(new Set(['mail', 'bootstrap']));
    expect(() => read(['--account-lacks', 'luck'])).toThrow(
      '--account-lacks luck is invalid; use deployment, ',
    );
  });

  it("uses a person's own DynamoDB where they name one", () => {
    const environment = { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000' };
    expect(read([], environment)).toMatchObject({ dynamoDbEndpoint: 'http://127.0.0.1:8000' });
  });

  it.each([
    [['--port', 'abc']],
    [['--port', '70000']],
    [['--port', '']],
    [['--port', '0x50']],
    [['--port', '1e3']],
    [['--port', '-1']],
    [['--state', '']],
    [['--context', 'no value']],
    [['--context', '=value']],
    [['--context', 'port=80']],
    [['--context', 'configuration=deployed']],
    [['--nonsense']],
    [['surplus']],
  ])('refuses %j in one line', (args) => {
    let message = '';
    try {
      read(args);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^.+$/);
  });
});
