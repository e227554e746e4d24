/**
 * `npm run model:nights`: a model of six nights of loads at 02:00 and ten jobs at AWS's size, in virtual time. State machines, the job
 * line, shares, retries, write pace and table capacity are the product's code; the work of a function is reduced to a number of
 * transactions and a duration. No figure was measured on AWS. Prints one table for the rules before the job line was introduced, and one
 * for the present rules.
 */

import { lineOfBusinessCodes } from '../lambdas/catalog/lines-of-business.ts';
import { jobLimits } from '../lambdas/catalog/payer/job-kinds.ts';
import { admitLoad, shareOfRanges } from '../lambdas/loads/course/admission.ts';
import type { LoadStep } from '../lambdas/loads/course/load-steps-contract.ts';
import { admitJob, nextWave } from '../lambdas/payer-access/jobs/job-admission.ts';
import type { JobInLine, JobStore } from '../lambdas/payer-access/jobs/job-ports.ts';
import type { JobStep } from '../lambdas/payer-access/jobs/job-steps-contract.ts';
import { adaptivePace, type Pace } from '../lambdas/platform/table/adaptive-pace.ts';
import { CallFailed, callWithRetries } from '../lambdas/platform/table/dynamodb-call.ts';
import { production } from '../lib/config/production.ts';
import { throttledRetry } from '../lib/constructs/state-machines.ts';
import { loadDefinition } from '../lib/loads/load-definition.ts';
import { jobDefinition } from '../lib/payer-access/job-definition.ts';
import { tableCapacity } from '../local/aws/dynamodb/capacity.ts';
import { readDefinition } from '../local/aws/step-functions/definition.ts';
import { interpret, TaskFailed } from '../local/aws/step-functions/interpreter.ts';
import { quota } from '../local/limits/quotas.ts';
import { pseudoRandom } from '../ops/generator/record/pseudo-random.ts';

/** Assumptions about the amount of work. */
const work = {
  /** Ranges of one line of business: a million rows in all. */
  ranges: 200,
  transactionsOfRange: 220,
  /** Write units of a transaction. DynamoDB counts transactional writes twice; a row has 11 units (docs/costs.md). */
  unitsOfTransaction: 250,
  /** CPU time for the rows of a transaction. */
  cpuMsOfTransaction: 10,
  storeMs: 10,
  stepMs: 100,
  /** Write units of a job's step; those of a job's part follow. */
  unitsOfStep: 10,
  unitsOfPart: 200,
  membersOfJob: 1_000,
  partMs: 4_000,
  /** Write units of a sign-in, one each second, whose caller waits only briefly for a throttled table. */
  signInUnits: 10,
} as const;

/** Reserved concurrency and timeouts of the functions, as in their stacks. */
const functions = {
  'load-steps': { atOnce: 5, limitMs: 900_000 },
  'load-range': { atOnce: production.loads.maxConcurrency, limitMs: 300_000 },
  'payer-jobs': { atOnce: jobLimits.partsAtOnce, limitMs: 300_000 },
} as const;
type FunctionName = keyof typeof functions;

/** Transactions of a range that are sent at once. */
const callsAtOnce = 32;
/** Time before a function's timeout at which it no longer waits for a throttled call. */
const endingMs = 60_000;
const tickMs = 10;
const mostHours = 24;
const twoOClock = Date.parse('2026-11-24T02:00:00Z');

interface Rules {
  /** Whether the present rules apply: a job line with shares, longer waits for throttled calls, and an adaptive write pace. */
  readonly areTodays: boolean;
  /** Write units a second that the table takes at the start. */
  readonly warmUnits: number;
}

/** A virtual clock with steps of ten milliseconds. */
function virtualClock() {
  let now = twoOClock;
  const waiting = new Map<number, (() => void)[]>();
  return {
    now: () => now,
    sleep: async (ms: number): Promise<void> =>
      await new Promise((resolve) => {
        const at = now + Math.max(1, Math.ceil(ms / tickMs)) * tickMs;
        const others = waiting.get(at);
        if (others === undefined) waiting.set(at, [resolve]);
        else others.push(resolve);
      }),
    async runUntil(isOver: () => boolean): Promise<void> {
      const end = twoOClock + mostHours * 3_600_000;
      for (; !isOver() && now < end; now += tickMs) {
        const due = waiting.get(now);
        if (due === undefined) continue;
        waiting.delete(now);
        for (const wake of due) wake();
        // Lets everything run that was waiting for this time.
        await new Promise(setImmediate);
      }
    },
  };
}

async function simulate({ areTodays, warmUnits }: Rules) {
  const random = pseudoRandom('night model');
  const uniform = () => random.integer(0, 999_999) / 1_000_000;
  // The state machine's interpreter takes its jitter from Math.random, so the model is repeatable.
  Math.random = uniform;
  const clock = virtualClock();
  const capacity = tableCapacity(
    new Map([['', { write: warmUnits, read: quota('tableReads') }]]),
    quota('tableGrowth') * 1_000,
  );
  let transactions = 0;

  /**
   * Writes a transaction to a partition of its own, with the waiting time of its caller.
   *
   * @throws StoreUnavailable
   */
  async function write(units: number, patience: { until?: number; pace?: Pace }): Promise<void> {
    const { until = 0, pace } = areTodays ? patience : {};
    const partition = `${transactions++ % 5_000}`;
    const call = async () => {
      await clock.sleep(work.storeMs);
      if (capacity.take({ kind: 'write', index: '', partition, units }, clock.now()) === undefined) return;
      throw new CallFailed('TransactionCanceledException', 400, ['ThrottlingError']);
    };
    await callWithRetries(call, {
      ...{ repeatable: true, random: uniform, sleep: clock.sleep },
      mayWait: () => clock.now() < until,
      ...(pace !== undefined && { pace }),
    });
  }

  const running = new Map<FunctionName, number>();

  /**
   * Runs a function for its duration; refuses it beyond the function's concurrency.
   *
   * @param carryOut gets the time until which it may wait for throttled calls, and the time of its timeout.
   */
  async function invoke<Answer>(
    name: FunctionName,
    carryOut: (until: number, end: number) => Promise<Answer>,
  ): Promise<string> {
    const { atOnce, limitMs } = functions[name];
    const others = running.get(name) ?? 0;
    if (others >= atOnce) throw new TaskFailed('Lambda.TooManyRequestsException', 'Rate Exceeded.');
    running.set(name, others + 1);
    try {
      const end = clock.now() + limitMs;
      return JSON.stringify(await carryOut(end - endingMs, end));
    } catch (error) {
      throw new TaskFailed(error instanceof Error ? error.name : 'Error', String(error));
    } finally {
      running.set(name, (running.get(name) ?? 1) - 1);
    }
  }

  async function execute(definition: object, input: object, id: string, deps: StepCalls): Promise<void> {
    const text = JSON.stringify(definition, (name, value) =>
      name === 'Retry' && !areTodays ? withoutThrottles(value) : value,
    );
    const context = { Execution: { Id: id } };
    await interpret(
      {
        ...deps,
        ...{ checkDistributed: () => {}, isEnding: () => false, sleep: clock.sleep, now: clock.now },
      },
      readDefinition(text, 'the model'),
      input,
      context,
    );
  }

  /** Transactions that are not written yet, by LOB and range. */
  const open = new Map<string, number>(
    lineOfBusinessCodes.flatMap((lob) =>
      Array.from(
        { length: work.ranges },
        (_, range) => [`${lob} ${range}`, work.transactionsOfRange] as const,
      ),
    ),
  );

  async function loadRange(name: string, until: number, end: number): Promise<void> {
    let left = open.get(name) ?? 0;
    let isFailed = false;
    let cpuFreeAt = clock.now();
    const pace = adaptivePace(callsAtOnce, clock.now);
    const caller = async () => {
      while (left > 0 && !isFailed && clock.now() < end) {
        left -= 1;
        cpuFreeAt = Math.max(cpuFreeAt, clock.now()) + work.cpuMsOfTransaction;
        await clock.sleep(cpuFreeAt - clock.now());
        await write(work.unitsOfTransaction, { until, pace }).catch((error: unknown) => {
          isFailed = true;
          throw error;
        });
        open.set(name, (open.get(name) ?? 0) - 1);
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: callsAtOnce }, caller));
    const failure = ended.find((each) => each.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    if ((open.get(name) ?? 0) > 0) throw new TaskFailed('Sandbox.Timedout', 'the time is over');
  }

  const loadItems = new Map(
    lineOfBusinessCodes.map((lob) => [
      lob,
      { state: 'accepted', acceptedAt: new Date(clock.now()).toISOString() },
    ]),
  );
  const endOfLoads: number[] = [];

  const ledger = {
    load: async ({ lob }: { readonly lob: (typeof lineOfBusinessCodes)[number] }) =>
      ({ ...loadItems.get(lob), lob, jobId: lob, execution: lob }) as never,
    loads: async (lob: (typeof lineOfBusinessCodes)[number]) => ({ loads: [await ledger.load({ lob })] }),
    turn: async (lob: (typeof lineOfBusinessCodes)[number]) =>
      loadItems.get(lob)?.state === 'running' ? lob : undefined,
    start: async ({ lob }: { readonly lob: (typeof lineOfBusinessCodes)[number] }) => {
      loadItems.set(lob, { ...(loadItems.get(lob) as { acceptedAt: string }), state: 'running' });
      return true;
    },
  };

  async function loadOf(lob: (typeof lineOfBusinessCodes)[number]): Promise<void> {
    const named = { lob, jobId: lob };
    const step = async (asked: LoadStep, until: number): Promise<object> => {
      await clock.sleep(work.stepMs);
      await write(work.unitsOfStep, { until });
      if (asked.step === 'accept') return { kind: 'accepted', ...named, files: [{ ...named, file: 0 }] };
      if (asked.step === 'admit') return await admitLoad(ledger, asked, asked.execution, clock.now());
      if (asked.step === 'next') {
        if (asked.after >= 0) return { kind: 'no-wave' };
        const rangesAtOnce = areTodays
          ? await shareOfRanges(ledger, production.loads.maxConcurrency)
          : production.loads.maxConcurrency;
        return { kind: 'wave', wave: 0, key: 'wave', rangesAtOnce };
      }
      const { acceptedAt = '' } = loadItems.get(lob) ?? {};
      if (asked.step === 'finish' || asked.step === 'fail') {
        loadItems.set(lob, { acceptedAt, state: asked.step === 'fail' ? 'failed' : 'reconciled' });
      }
      return { kind: 'ended', lob, state: 'reconciled', followUp: 'none' };
    };
    const deps = {
      invoke: async (name: string, payload: string) =>
        name === arnOf('load-range')
          ? await invoke('load-range', async (until, end) => await loadRange(JSON.parse(payload), until, end))
          : await invoke('load-steps', async (until) => await step(JSON.parse(payload), until)),
      readObject: () => JSON.stringify(Array.from({ length: work.ranges }, (_, range) => `${lob} ${range}`)),
    };
    const parts = {
      ...{ steps: arnOf('load-steps'), range: arnOf('load-range'), directoryBuild: arnOf('directory-build') },
      bucket: 'ingest',
    };
    // A failed execution is also at its end; the ranges left in `open` count as lost.
    await execute(loadDefinition(parts), {}, lob, deps).catch(() => {});
    endOfLoads.push(clock.now());
  }

  // Jobs of two payers, five each.
  const line: (JobInLine & { readonly parts: Set<number>; state: string; startedAt?: string })[] = [];
  const recent: string[] = [];
  const endOfJobs: number[] = [];
  const store = {
    turn: async () => ({ number: recent.length, recent }),
    line: async () => line.filter(({ state }) => state === 'accepted' || state === 'running'),
    start: async (job: JobInLine, _turn: unknown, at: string) => {
      const own = line.find(({ jobId }) => jobId === job.jobId);
      if (own !== undefined) Object.assign(own, { startedAt: at, state: 'running' });
      recent.push(job.payer);
      return true;
    },
    parts: async (jobId: string) =>
      [...(line.find((each) => each.jobId === jobId)?.parts ?? [])].map((part) => ({ part })),
  } as unknown as JobStore;

  async function jobOf(payer: string, number: number): Promise<void> {
    const jobId = `${payer}-${number}`;
    const acceptedAt = new Date(clock.now()).toISOString();
    const own = { jobId, payer, acceptedAt, state: 'accepted', parts: new Set<number>() };
    line.push(own);
    const kind = payer === 'exporting' ? 'export' : 'member-match';
    const asJob = () => ({ ...own, kind, members: work.membersOfJob }) as never;
    const step = async (asked: JobStep, until: number): Promise<object> => {
      await clock.sleep(asked.step === 'part' ? work.partMs : work.stepMs);
      await write(asked.step === 'part' ? work.unitsOfPart : work.unitsOfStep, { until });
      if (asked.step === 'admit' && areTodays) return await admitJob(store, asJob(), clock.now());
      if (asked.step === 'admit') own.state = 'running';
      if (asked.step === 'next') {
        const wave = await nextWave(store, asJob());
        return areTodays ? wave : { ...wave, partsAtOnce: jobLimits.partsAtOnce };
      }
      if (asked.step === 'part') own.parts.add(asked.part);
      if (asked.step === 'finish' || asked.step === 'fail') {
        own.state = asked.step === 'finish' ? 'complete' : 'failed';
        endOfJobs.push(clock.now());
      }
      return { kind: 'admitted' };
    };
    const deps = {
      invoke: async (_name: string, payload: string) =>
        await invoke('payer-jobs', async (until) => await step(JSON.parse(payload), until)),
      readObject: () => '',
    };
    const expiresAt = new Date(clock.now() + jobLimits.jobSeconds * 1_000).toISOString();
    await execute(jobDefinition(arnOf('payer-jobs')), { jobId, expiresAt }, jobId, deps);
  }

  let signIns = 0;
  let refusedSignIns = 0;
  async function members(): Promise<void> {
    for (;;) {
      await clock.sleep(1_000);
      signIns += 1;
      await write(work.signInUnits, {}).catch(() => {
        refusedSignIns += 1;
      });
    }
  }

  for (const lob of lineOfBusinessCodes) void loadOf(lob);
  for (let number = 0; number < 5; number += 1) {
    void jobOf('exporting', number);
    void jobOf('matching', number);
  }
  void members();
  await clock.runUntil(
    () => endOfLoads.length === lineOfBusinessCodes.length && endOfJobs.length === line.length,
  );

  const isLoaded = (lob: string) =>
    [...open].every(([range, left]) => left === 0 || !range.startsWith(`${lob} `));
  const rangesLost = [...open.values()].filter((left) => left > 0).length;
  const all = work.ranges * lineOfBusinessCodes.length * work.transactionsOfRange;
  const lost = [...open.values()].reduce((sum, left) => sum + left, 0);
  const minutes = (ends: readonly number[]) => Math.round((Math.max(...ends) - twoOClock) / 60_000);
  return {
    loads: `${lineOfBusinessCodes.filter(isLoaded).length} of ${lineOfBusinessCodes.length}`,
    rangesLost: `${rangesLost} of ${work.ranges * lineOfBusinessCodes.length}`,
    written: `${(100 - (100 * lost) / all).toFixed(1)} %`,
    loadMinutes: minutes(endOfLoads),
    jobs: `${line.filter(({ state }) => state === 'complete').length} of ${line.length}`,
    jobMinutes: minutes(endOfJobs),
    refused: `${refusedSignIns} of ${signIns}`,
  };
}

const arnOf = (name: string) => `arn:aws:lambda:us-east-1:123456789012:function:${name}`;

interface StepCalls {
  readonly invoke: (name: string, payload: string) => Promise<string>;
  readonly readObject: () => string;
}

/** Retry rules without the rule for throttled functions. */
function withoutThrottles(rules: readonly { readonly ErrorEquals: readonly string[] }[]) {
  return rules.filter(({ ErrorEquals }) => ErrorEquals[0] !== throttledRetry.ErrorEquals[0]);
}

console.log(
  'A model, not a measurement: six lines of business begin to load at 02:00, and two payers begin five jobs each.\n',
);
console.log(
  '| Table, write units a second | Rules | Loads that are whole | Ranges lost | Rows written | Minutes | Jobs complete | Minutes | Sign-ins answered 503 |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
for (const warmUnits of [quota('tableWrites'), quota('tableMostWrites')]) {
  for (const areTodays of [false, true]) {
    const { loads, rangesLost, written, loadMinutes, jobs, jobMinutes, refused } = await simulate({
      areTodays,
      warmUnits,
    });
    const first = [
      `${warmUnits.toLocaleString('en-US')}`,
      areTodays ? 'today' : 'without line, patience and pace',
    ];
    console.log(
      `| ${[...first, loads, rangesLost, written, loadMinutes, jobs, jobMinutes, refused].join(' | ')} |`,
    );
  }
}
process.exit(0);
