import { getPriority } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { loadAssembly } from '../../../local/assembly/load-assembly.ts';
import { readFunctions } from '../../../local/lambda/functions.ts';
import { createLambda, type LambdaOptions } from '../../../local/lambda/pool.ts';
import { type Resources, writeCloudAssembly } from '../cloud-assembly.ts';
import { petsApi } from '../pets.ts';

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A function with this source and these properties, to be invoked by its logical ID. */
function lambdaOf(
  source: string,
  properties: Record<string, unknown> = {},
  options: Partial<LambdaOptions> = {},
  more: Resources = {},
) {
  const resources = { ...petsApi(), ...more };
  Object.assign(resources.Pets?.Properties ?? {}, properties);
  const template = { Resources: resources };
  const { directory, remove } = writeCloudAssembly([{ name: 'pets', template }], { pets: source, guard: '' });
  const functions = readFunctions(loadAssembly(directory));
  const lines: string[] = [];
  const reports: string[] = [];
  const lambda = createLambda({
    functions,
    endpoints: () => ({ endpoint: 'http://127.0.0.1:1', dynamoDbEndpoint: 'http://127.0.0.1:1' }),
    log: (_name, line) => (line.startsWith('REPORT ') ? reports : lines).push(line),
    ...options,
  });
  ends.push(lambda.stop, remove);
  const pets = functions.find((one) => one.name.includes('Pets'));
  const name = pets?.name ?? '';
  const answered = async (invoke: typeof lambda.invoke, event: unknown) => {
    const { payload, functionError } = await invoke(name, JSON.stringify(event));
    return { answer: JSON.parse(payload), functionError };
  };
  return {
    lambda,
    pets,
    lines,
    reports,
    invoke: (event: unknown = {}) => answered(lambda.invoke, event),
    invokeWithinConcurrency: (event: unknown = {}) => answered(lambda.invokeWithinConcurrency, event),
  };
}

const errorOf = (errorType: string, errorMessage: unknown) => ({
  functionError: 'Unhandled',
  answer: { errorType, errorMessage, trace: [] },
});

describe('a function', () => {
  const priority = 'exports.handler = async () => require("node:os").getPriority();';

  it('yields the processor where a state machine calls it, and has its share where somebody waits for it', async () => {
    const DefinitionString = {
      'Fn::Join': [
        '',
        ['{"StartAt":"Ask","States":{"Ask":{"Resource":"', { 'Fn::GetAtt': ['Pets', 'Arn'] }, '"}}}'],
      ],
    };
    const machine = { Type: 'AWS::StepFunctions::StateMachine', Properties: { DefinitionString } };
    const yielding = lambdaOf(priority, {}, {}, { Machine: machine });
    expect(yielding.pets?.isBackground).toBe(true);
    const own = getPriority();
    expect((await yielding.invoke()).answer).toBe(process.platform === 'linux' ? Math.max(own, 10) : own);
    expect((await lambdaOf(priority).invoke()).answer).toBe(own);
  });

  it('sees the variables of its template and of Lambda, and nothing of this process', async () => {
    process.env.SECRET_OF_THE_RUNNER = 'x';
    const { invoke, pets } = lambdaOf('exports.handler = async () => process.env;');
    const { answer } = await invoke();
    Reflect.deleteProperty(process.env, 'SECRET_OF_THE_RUNNER');
    expect(answer).toMatchObject({
      GREETING: 'hello',
      AWS_LAMBDA_FUNCTION_NAME: pets?.name,
      AWS_REGION: 'us-east-2',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
      AWS_ACCESS_KEY_ID: pets?.accessKeyId,
    });
    expect(answer.PLAN).toMatch(/^[a-z0-9]{6}$/);
    expect(answer).not.toHaveProperty('SECRET_OF_THE_RUNNER');
    expect(answer).not.toHaveProperty('PATH');
  });

  it('lives in UTC, wherever this machine is', async () => {
    process.env.TZ = 'America/New_York';
    const { invoke } = lambdaOf('exports.handler = async () => new Date(0).getHours();');
    expect((await invoke()).answer).toBe(0);
  });

  it('keeps what it remembered for the next call in the same thread', async () => {
    const { invoke } = lambdaOf('let calls = 0; exports.handler = async () => ++calls;');
    expect([(await invoke()).answer, (await invoke()).answer]).toEqual([1, 2]);
  });

  it('is frozen when it has answered: what it left undone goes on with the next call', async () => {
    const source = `let ticks = 0;
      exports.handler = async (event) => {
        if (event.start) setInterval(() => { ticks += 1; console.log('tick ' + ticks); }, 5);
        else await new Promise((resolve) => setTimeout(resolve, 30));
        return ticks;
      };`;
    const { invoke, lines } = lambdaOf(source);
    expect((await invoke({ start: true })).answer).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(lines).toEqual([]);
    const { answer } = await invoke();
    expect(answer).toBeGreaterThan(0);
    expect(answer).toBeLessThan(20);
  });

  it('reports how long its cold start took, once for each thread', async () => {
    const { invoke, reports } = lambdaOf('exports.handler = async () => 1;');
    await invoke();
    await invoke();
    expect(reports).toEqual([
      expect.stringMatching(
        /^REPORT RequestId: [\w-]+\tDuration: [\d.]+ ms\tMemory Size: 128 MB\tInit Duration: [\d.]+ ms$/,
      ),
    ]);
  });

  it('has all it printed in the log before it is frozen', async () => {
    const source = `exports.handler = async () => { for (let i = 0; i < 500; i += 1) console.log('line ' + i); };`;
    const { invoke, lines } = lambdaOf(source);
    await invoke();
    await expect.poll(() => lines.at(-1)).toBe('line 499');
  });

  it('answers thousands of calls, frozen and woken each time', async () => {
    const source = `let calls = 0; exports.handler = async () => { console.log('x'); return ++calls; };`;
    const { invoke } = lambdaOf(source, {}, { threadsPerFunction: 1 });
    for (let call = 1; call <= 1_000; call += 1) expect((await invoke()).answer).toBe(call);
    const together = await Promise.all(Array.from({ length: 1_000 }, () => invoke()));
    expect(together.at(-1)?.answer).toBe(2_000);
  });

  it('ends while it is frozen', async () => {
    const { invoke, lambda } = lambdaOf('exports.handler = async () => 1;');
    await invoke();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await lambda.stop();
    expect((await invoke()).answer).toBe(1);
  });

  it('fails the call that uses up its memory, not the next', async () => {
    const source = `exports.handler = async (event) => {
      if (event.fall) { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)); }
      return 'well';
    };`;
    const { invoke } = lambdaOf(source, { MemorySize: 128, Timeout: 30 });
    expect(await invoke({ fall: true })).toMatchObject({ functionError: 'Unhandled' });
    expect((await invoke()).answer).toBe('well');
  });

  it('gets a context with the time it has left', async () => {
    const { invoke, pets } = lambdaOf(
      'exports.handler = async (event, context) => ({ event, left: context.getRemainingTimeInMillis(), ...context });',
      { Timeout: 7 },
    );
    const { answer } = await invoke({ a: 1 });
    expect(answer).toMatchObject({
      event: { a: 1 },
      functionName: pets?.name,
      invokedFunctionArn: pets?.arn,
    });
    expect(answer.left).toBeGreaterThan(5_000);
    expect(answer.left).toBeLessThanOrEqual(7_000);
  });

  it('runs one call at a time in a thread, several in several', async () => {
    const source = `let busy = 0;
      exports.handler = async () => { busy += 1; await new Promise((r) => setTimeout(r, 30)); const at = busy; busy -= 1; return at; };`;
    const { invoke } = lambdaOf(source, {}, { threadsPerFunction: 2 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => invoke()));
    expect(answers.map(({ answer }) => answer)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('reports what it throws, without the stack, which is in the log', async () => {
    const { invoke, lines } = lambdaOf('exports.handler = async () => { throw new RangeError("too far"); };');
    expect(await invoke()).toEqual(errorOf('RangeError', 'too far'));
    await expect.poll(() => lines.join('\n')).toContain('RangeError: too far');
  });

  it('ends with its thread when it is too late, and the next call starts anew', async () => {
    const source = `let calls = 0;
      exports.handler = async (event) => { calls += 1; if (event.hang) for (;;); return calls; };`;
    const { invoke } = lambdaOf(source, { Timeout: 1 });
    expect((await invoke()).answer).toBe(1);
    const late = await invoke({ hang: true });
    expect(late).toEqual(
      errorOf('Sandbox.Timedout', expect.stringMatching(/Task timed out after 1\.00 seconds$/)),
    );
    expect((await invoke()).answer).toBe(1);
  });

  it.each([
    ['exits', 'process.exit(3)', 'Runtime.ExitError'],
    [
      'has an error nobody catches',
      'setTimeout(() => { throw new TypeError("lost"); }); await new Promise(() => {})',
      'TypeError',
    ],
  ])('fails the call in which it %s, not the next', async (_what, statement, errorType) => {
    const source = `exports.handler = async (event) => { if (event.fall) { ${statement}; } return 'well'; };`;
    const { invoke } = lambdaOf(source);
    expect(await invoke({ fall: true })).toEqual(errorOf(errorType, expect.any(String)));
    expect((await invoke()).answer).toBe('well');
  });

  it.each([
    ['can not be loaded', 'throw new SyntaxError("bad")', 'SyntaxError'],
    ['exports no handler', 'exports.other = 1', 'Runtime.HandlerNotFound'],
    [
      'wants a callback',
      'exports.handler = (event, context, callback) => callback()',
      'Runtime.CallbackHandlerDeprecated',
    ],
  ])('fails where it %s', async (_what, source, errorType) => {
    expect(await lambdaOf(source).invoke()).toEqual(errorOf(errorType, expect.any(String)));
  });

  it('may not answer with more than 6 MB', async () => {
    const { invoke } = lambdaOf('exports.handler = async () => "a".repeat(6_300_000);');
    expect(await invoke()).toEqual(errorOf('Function.ResponseSizeTooLarge', expect.any(String)));
  });

  it('answers null for undefined', async () => {
    expect((await lambdaOf('exports.handler = async () => {};').invoke()).answer).toBeNull();
  });

  it('is switched off by a reserved concurrency of 0', async () => {
    const { invoke } = lambdaOf('exports.handler = async () => 1;', { ReservedConcurrentExecutions: 0 });
    await expect(invoke()).rejects.toMatchObject({ name: 'FunctionThrottled' });
  });

  it('refuses a state machine beyond its reserved concurrency, and lets other callers wait', async () => {
    const source = `exports.handler = async () => { await new Promise((r) => setTimeout(r, 50)); return 1; };`;
    const { invoke, invokeWithinConcurrency } = lambdaOf(source, { ReservedConcurrentExecutions: 1 });
    const running = invokeWithinConcurrency();
    await expect(invokeWithinConcurrency()).rejects.toMatchObject({ name: 'FunctionThrottled' });
    expect(await Promise.all([running, invoke()])).toMatchObject([{ answer: 1 }, { answer: 1 }]);
    expect(await invokeWithinConcurrency()).toMatchObject({ answer: 1 });
  });

  it.each<[string, Record<string, unknown>, number]>([
    ['its reserved concurrency', { ReservedConcurrentExecutions: 2 }, 1_000],
    ['what the account has left for functions that reserve none', {}, 2],
  ])('refuses every caller beyond %s, with limits', async (_name, properties, accountConcurrency) => {
    const source =
      'exports.handler = async () => { await new Promise((r) => setTimeout(r, 100)); return 1; };';
    const { invoke } = lambdaOf(source, properties, { limits: { accountConcurrency } });
    const answers = await Promise.allSettled([invoke(), invoke(), invoke()]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(await invoke()).toMatchObject({ answer: 1 });
  });

  it('never runs more threads than its reserved concurrency', async () => {
    const source = `let calls = 0;
      exports.handler = async () => { await new Promise((r) => setTimeout(r, 20)); return ++calls; };`;
    const { invoke } = lambdaOf(source, { ReservedConcurrentExecutions: 1 });
    const answers = await Promise.all([invoke(), invoke(), invoke()]);
    expect(answers.map(({ answer }) => answer)).toEqual([1, 2, 3]);
  });
});

describe('a template', () => {
  const withVariables = (Variables: Record<string, string>) => () =>
    lambdaOf('exports.handler = async () => 1;', { Environment: { Variables } });

  it.each<[string, Record<string, string>]>([
    ['a variable that is reserved', { AWS_REGION: 'us-east-1' }],
    ['a variable of a name that is none', { 'A-B': 'x' }],
    ['a variable of one letter', { A: 'x' }],
    ['more than 4 KB of variables', { LARGE: 'a'.repeat(4_092) }],
  ])('is refused for %s', (_what, variables) => {
    expect(withVariables(variables)).toThrow(/environment variable/);
  });

  it('may have 4 KB of variables', () => {
    expect(withVariables({ LARGE: 'a'.repeat(4_091) })).not.toThrow();
  });
});

describe('invoke', () => {
  it('takes a name or an ARN, with or without a qualifier, and knows no others', async () => {
    const { lambda, pets } = lambdaOf('exports.handler = async () => 1;');
    const { name = '', arn = '' } = pets ?? {};
    for (const reference of [name, arn, `${arn}:$LATEST`, `${name}:$LATEST`]) {
      expect((await lambda.invoke(reference, '{}')).payload).toBe('1');
    }
    for (const reference of ['nobody', `${name}:live`, `${arn}:1`])
      await expect(lambda.invoke(reference, '{}')).rejects.toMatchObject({ name: 'FunctionNotFound' });
  });

  it('sends calls of an alias to the versions that have a share of them, and counts each', async () => {
    const source =
      'exports.handler = async (_event, { functionVersion, invokedFunctionArn }) => [functionVersion, invokedFunctionArn];';
    const published: string[] = [];
    const { pets: known } = lambdaOf(source);
    const functionArn = known?.arn ?? '';
    const alias = { arn: `${functionArn}:live`, name: 'live', functionArn, version: '1' };
    const { lambda, pets } = lambdaOf(
      source,
      {},
      {
        ...{ aliases: [alias] },
        publish: (_namespace, metric, { ExecutedVersion, Resource }) => {
          if (metric === 'Invocations' && ExecutedVersion !== undefined)
            published.push(`${Resource} ${ExecutedVersion}`);
        },
      },
    );
    if (pets === undefined) throw new Error('there is no function');
    const versionOf = async (reference: string) => JSON.parse((await lambda.invoke(reference, '{}')).payload);
    expect(await versionOf(alias.arn)).toEqual(['1', alias.arn]);
    expect(await versionOf(`${pets.name}:live`)).toEqual(['1', alias.arn]);
    lambda.publish({ ...pets, version: '2' });
    expect(await versionOf(alias.arn)).toEqual(['1', alias.arn]);
    lambda.route(alias.arn, [
      { version: '2', part: 0.5 },
      { version: '1', part: 0.5 },
    ]);
    const seen = new Set<string>();
    for (let calls = 0; calls < 60; calls += 1) seen.add((await versionOf(alias.arn))[0]);
    expect([...seen].sort()).toEqual(['1', '2']);
    lambda.route(alias.arn, [{ version: '2', part: 1 }]);
    expect(await versionOf(alias.arn)).toEqual(['2', alias.arn]);
    expect(await versionOf(pets.arn)).toEqual(['$LATEST', pets.arn]);
    await expect(lambda.invoke(`${pets.arn}:1`, '{}')).rejects.toMatchObject({ name: 'FunctionNotFound' });
    expect(published.slice(0, 2)).toEqual([`${pets.name}:live 1`, `${pets.name}:live 1`]);
    expect(published.at(-1)).toBe(`${pets.name}:live 2`);
  });

  it('ends the thread that was unused for longest when there are too many', async () => {
    const source = 'const born = Math.random(); exports.handler = async () => born;';
    const { invoke } = lambdaOf(source, {}, { idleThreads: 0 });
    expect((await invoke()).answer).not.toBe((await invoke()).answer);
  });
});
