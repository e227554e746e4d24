import { describe, expect, it } from 'vitest';
import { loadDefinition } from '../../../lib/loads/load-definition.ts';
import { readDefinition } from '../../../local/aws/step-functions/definition.ts';
import {
  type InterpreterDeps,
  interpret,
  TaskFailed,
} from '../../../local/aws/step-functions/interpreter.ts';
import { compileEventPattern } from '../../../local/events/event-pattern.ts';

const arn = (name: string) => `arn:aws:lambda:us-east-1:111122223333:function:${name}`;
const definition = JSON.stringify(
  loadDefinition({
    steps: arn('steps'),
    range: arn('range'),
    directoryBuild: arn('build'),
    bucket: 'ingest',
  }),
);
const changed = (change: (states: Record<string, Record<string, unknown>>) => void) => {
  const machine = JSON.parse(definition);
  change(machine.States);
  return () => readDefinition(JSON.stringify(machine), 'stack X: Machine');
};

describe('the states language on one machine', () => {
  it('is refused by the name of what it does not know', () => {
    expect(changed((states) => Object.assign(states, { Pause: { Type: 'Wait', Seconds: 1 } }))).toThrow(
      'stack X: Machine: Pause: Seconds: not known on one machine',
    );
    expect(changed(({ Finish }) => Object.assign(Finish ?? {}, { TimeoutSeconds: 5 }))).toThrow(
      'TimeoutSeconds',
    );
    expect(
      changed(({ Finish }) => Object.assign(Finish ?? {}, { Resource: 'arn:aws:states:::sqs:sendMessage' })),
    ).toThrow('sqs');
    expect(
      changed(({ Finish }) => Object.assign(Finish ?? {}, { Parameters: { 'a.$': '$.files[0]' } })),
    ).toThrow('$.files[0]');
    expect(changed(({ Fail }) => Object.assign(Fail ?? {}, { Next: 'Nowhere' }))).toThrow(
      'there is no state Nowhere',
    );
  });

  it.each([
    [
      'a Map over CSV',
      'Load ranges',
      { ItemReader: { Resource: 'arn:aws:states:::s3:getObject', ReaderConfig: { InputType: 'CSV' } } },
      'CSV',
    ],
    ['batches of a Map', 'Load ranges', { ItemBatcher: { MaxItemsPerBatch: 5 } }, 'ItemBatcher'],
    ['another error than all', 'Finish', { Retry: [{ ErrorEquals: ['States.Timeout'] }] }, 'States.Timeout'],
    [
      'a comparison of numbers',
      'Is accepted',
      { Choices: [{ Variable: '$.n', NumericEquals: 1, Next: 'Plan files' }] },
      'NumericEquals',
    ],
    ['an output path', 'Finish', { OutputPath: '$.x' }, 'OutputPath'],
    ['JSONata', 'Finish', { QueryLanguage: 'JSONata' }, 'QueryLanguage'],
    ['a result selector', 'Next wave', { ResultSelector: { 'a.$': '$.b' } }, 'ResultSelector'],
  ])('refuses %s', (_name, state, change, named) => {
    expect(changed((states) => Object.assign(states[state] ?? {}, change))).toThrow(named);
  });

  /** Ports of the state machine with short stand-ins for the functions of a load of two files and one wave. */
  function deps(
    log: string[],
    failing: (payload: string) => boolean = () => false,
    admissions: string[] = [],
    sleep: (ms: number) => Promise<void> = async () => {},
  ): InterpreterDeps {
    return {
      async invoke(functionArn, payload) {
        const { step = 'range', after, file, range } = JSON.parse(payload);
        const isBuild = functionArn === arn('build');
        log.push(isBuild ? 'build' : [step, file ?? range].join(' ').trim());
        if (failing(payload)) throw new TaskFailed('Broken', 'broken');
        if (step === 'accept')
          return '{"kind":"accepted","lob":"DSNP","jobId":"j","files":[{"lob":"DSNP","jobId":"j","file":0}]}';
        if (step === 'admit') return admissions.shift() ?? '{"kind":"admitted"}';
        if (step === 'next')
          return after === -1 ? '{"kind":"wave","wave":0,"key":"k","rangesAtOnce":1}' : '{"kind":"no-wave"}';
        if (step === 'finish') return '{"kind":"ended","lob":"DSNP","followUp":"build-directory"}';
        return '{"kind":"planned"}';
      },
      readObject: () => '[{"range":1},{"range":2},{"range":3}]',
      checkDistributed: () => {},
      sleep,
      now: Date.now,
      isEnding: () => false,
    };
  }
  const machine = readDefinition(definition, 'stack X: Machine');
  const run = (of: InterpreterDeps) => interpret(of, machine, {}, { Execution: { Id: 'e' } });

  it('carries a load out, wave after wave', async () => {
    const log: string[] = [];
    await run(deps(log));
    expect(log).toEqual([
      'accept',
      'admit',
      'plan 0',
      'next',
      'range 1',
      'range 2',
      'range 3',
      'next',
      'finish',
      'build',
    ]);
  });

  it('waits for its turn, for the seconds it is told', async () => {
    const log: string[] = [];
    const slept: number[] = [];
    const waiting = '{"kind":"waiting","seconds":5,"ahead":1}';
    const sleep = async (ms: number) => void slept.push(ms);
    await run(deps(log, undefined, [waiting, waiting.replace('5', '60')], sleep));
    expect(slept).toEqual([5_000, 60_000]);
    expect(log.slice(0, 5)).toEqual(['accept', 'admit', 'admit', 'admit', 'plan 0']);
  });

  it('asks for its turn again where the question failed three times', async () => {
    const log: string[] = [];
    let failures = 0;
    const failing = (payload: string) => payload.includes('"admit"') && failures++ < 3;
    await run(deps(log, failing));
    expect(log.slice(0, 6)).toEqual(['accept', 'admit', 'admit', 'admit', 'admit', 'plan 0']);
    expect(log.at(-1)).toBe('build');
  });

  it('loads nothing where the job was cancelled while it waited', async () => {
    const log: string[] = [];
    await run(deps(log, undefined, ['{"kind":"ended"}']));
    expect(log).toEqual(['accept', 'admit']);
  });

  it('waits where Lambda has no free concurrency, however often, and counts other errors apart', async () => {
    const log: string[] = [];
    let throttles = 0;
    const throttled = {
      ...deps(log),
      invoke: async (functionArn: string, payload: string) => {
        if (payload.includes('"finish"') && throttles < 200) {
          throttles += 1;
          throw new TaskFailed('Lambda.TooManyRequestsException', 'Rate Exceeded.');
        }
        return await deps(log).invoke(functionArn, payload);
      },
    };
    await run(throttled);
    expect(throttles).toBe(200);
    expect(log.at(-1)).toBe('build');
  });

  it('fails for good when its history is full, and not before', async () => {
    const log: string[] = [];
    const throttled = (times: number) => {
      let throttles = 0;
      return {
        ...deps(log),
        invoke: async (functionArn: string, payload: string) => {
          if (!payload.includes('"finish"') || throttles >= times)
            return await deps(log).invoke(functionArn, payload);
          throttles += 1;
          throw new TaskFailed('Lambda.TooManyRequestsException', 'Rate Exceeded.');
        },
      };
    };
    await run(throttled(2_900));
    expect(log.at(-1)).toBe('build');
    const question = '{"kind":"waiting","seconds":60}';
    const admissions = Array.from({ length: 2_900 }, () => question);
    await expect(run(deps(log, undefined, admissions))).rejects.toThrow(/maximum number of history events/);
  });

  it('counts the tries of each file of a drop by themselves', async () => {
    const log: string[] = [];
    const files = Array.from({ length: 8 }, (_, file) => ({ lob: 'DSNP', jobId: 'j', file }));
    const throttles = new Map<string, number>();
    const answers = deps(log);
    await run({
      ...answers,
      async invoke(functionArn, payload) {
        const { step, file } = JSON.parse(payload);
        if (step === 'accept') return JSON.stringify({ kind: 'accepted', lob: 'DSNP', jobId: 'j', files });
        const before = throttles.get(file) ?? 0;
        if (step !== 'plan' || before >= 1_500) return await answers.invoke(functionArn, payload);
        throttles.set(file, before + 1);
        throw new TaskFailed('Lambda.TooManyRequestsException', 'Rate Exceeded.');
      },
    });
    expect(log.filter((line) => line.startsWith('plan'))).toHaveLength(8);
    expect(log.at(-1)).toBe('build');
  });

  it('tries a step again, lets no range stop the others, and ends as failed where a step of all fails', async () => {
    const log: string[] = [];
    await run(deps(log, (payload) => payload === '{"range":2}'));
    expect(log.filter((line) => line === 'range 2')).toHaveLength(5);
    expect(log).toContain('range 3');
    expect(log).toContain('finish');
    const lost: string[] = [];
    await expect(run(deps(lost, (payload) => payload.includes('"next"')))).rejects.toThrow();
    expect(lost.at(-1)).toBe('fail');
  });
});

describe('an event pattern on one machine', () => {
  const matches = compileEventPattern(
    { source: ['aws.s3'], detail: { key: [{ suffix: '/manifest.json' }] } },
    'rule',
  );

  it('matches members by their values and endings', () => {
    expect(matches({ source: 'aws.s3', detail: { key: 'a/manifest.json' } })).toBe(true);
    expect(matches({ source: 'aws.s3', detail: { key: 'a/report.json' } })).toBe(false);
    expect(matches({ source: 'aws.s3' })).toBe(false);
  });

  it('is refused by the name of a comparison it does not know', () => {
    expect(() => compileEventPattern({ size: [{ numeric: ['>', 0] }] }, 'rule')).toThrow('numeric');
  });
});
