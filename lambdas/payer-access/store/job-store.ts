/** Stores the ledger of asynchronous jobs: jobs, completed parts, turns, and the number of an application's active jobs. */

import * as z from 'zod/mini';
import { auditWrite } from '../../audit/store/audit-events-contract.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { jobKindNames, jobLimits } from '../../catalog/payer/job-kinds.ts';
import { jobStates } from '../../catalog/payer/job-states.ts';
import { conditionHolds, putIfAbsent } from '../../platform/table/conditional-writes.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import type { Table, Update, Write } from '../../platform/table/table.ts';
import {
  jobKey,
  jobLineKey,
  jobLinePartition,
  jobListKey,
  jobListPartition,
  jobPartition,
  jobPartKey,
  jobQuotaKey,
  jobTurnKey,
} from '../../platform/table/table-keys.ts';
import { transition } from '../../platform/table/transition.ts';
import type { JobStore, OperatorAct } from '../jobs/job-ports.ts';
import { type Job, type JobAct, jobTransitions } from '../jobs/payer-job.ts';

const jobItem = z.object({
  jobId: z.string(),
  kind: z.enum(jobKindNames),
  clientId: z.string(),
  state: z.enum(jobStates),
  request: z.string(),
  scope: z.string(),
  requestId: z.string(),
  clientRequestId: z.optional(z.string()),
  parameters: z.string(),
  attempt: z._default(z.number(), 1),
  members: z.number(),
  done: z.number(),
  acceptedAt: z.string(),
  startedAt: z.optional(z.string()),
  endedAt: z.optional(z.string()),
  expiresAt: z.number(),
});
const lineItem = z.object({
  jobId: z.string(),
  payer: z.string(),
  acceptedAt: z.string(),
  startedAt: z.optional(z.string()),
});
const turnItem = z.object({ number: z.number(), recent: z.array(z.string()) });
const partItem = z.object({
  part: z.number(),
  members: z.number(),
  files: z.array(
    z.object({
      name: z.string(),
      list: z.enum(['output', 'error']),
      type: z.string(),
      count: z.number(),
      hasMembers: z.boolean(),
    }),
  ),
});

/** Seconds for which a job's items are kept for operators after it expired. */
const keptSeconds = 7 * 24 * 60 * 60;

/** Most payers whose last turns are remembered. */
const mostRecent = 200;

/** The acts after which a job no longer counts against its application's quota. */
const endings: readonly JobAct[] = ['complete', 'fail', 'cancel'];

/** The ledger of the jobs of one LOB. */
export function createJobStore(table: Table, lob: LineOfBusiness): JobStore {
  const quota = (clientId: string, expression: string, condition: string, values: object): Update => ({
    key: jobQuotaKey(lob, clientId),
    expression,
    condition,
    names: { '#active': 'active' },
    values: { ':one': 1, ...values },
  });

  const operatorEvent = (
    { jobId, clientId }: Pick<Job, 'jobId' | 'clientId'>,
    time: string,
    { operatorId, ...act }: OperatorAct,
  ): Write =>
    auditWrite({
      ...act,
      time,
      lob,
      action: 'job.cancel',
      outcome: 'succeeded',
      actor: 'operator',
      clientId,
      resource: `job/${jobId}`,
      ...(operatorId !== undefined && { operatorId }),
    });

  async function job(jobId: string): Promise<Job | undefined> {
    const item = await table.get(jobKey(lob, jobId));
    return item && jobItem.parse(item);
  }

  return {
    job,

    async activeJobs(clientId) {
      const item = await table.get(jobQuotaKey(lob, clientId));
      return Number(item?.active ?? 0);
    },

    async accept(accepted, payer) {
      const { jobId, clientId, acceptedAt, expiresAt } = accepted;
      const ttl = expiresAt + keptSeconds;
      return await conditionHolds(table, [
        putIfAbsent({ ...jobKey(lob, jobId), ...accepted, ttl }),
        { put: { ...jobListKey(lob, acceptedAt, jobId), jobId, ttl } },
        { put: { ...jobLineKey(lob, acceptedAt, jobId), jobId, payer, acceptedAt, ttl } },
        {
          update: quota(
            clientId,
            'SET #active = if_not_exists(#active, :none) + :one',
            'attribute_not_exists(#active) OR #active < :most',
            { ':none': 0, ':most': jobLimits.activeJobs },
          ),
        },
      ]);
    },

    async line() {
      const items = await queryAll(table, jobLinePartition(lob), 'JOB#');
      return items.map((item) => lineItem.parse(item));
    },

    async turn() {
      const item = await table.get(jobTurnKey(lob));
      return item === undefined ? { number: 0, recent: [] } : turnItem.parse(item);
    },

    async start({ jobId, payer, acceptedAt }, { number, recent }, at) {
      const values = { ':at': at };
      const next = [...recent.filter((each) => each !== payer), payer].slice(-mostRecent);
      return await conditionHolds(table, [
        { update: transition(jobKey(lob, jobId), jobTransitions.start, { sets: 'startedAt = :at', values }) },
        {
          update: {
            key: jobLineKey(lob, acceptedAt, jobId),
            expression: 'SET startedAt = :at',
            condition: 'attribute_exists(pk)',
            values,
          },
        },
        {
          put: { ...jobTurnKey(lob), number: number + 1, recent: next },
          condition:
            number === 0
              ? { expression: 'attribute_not_exists(pk)' }
              : {
                  expression: '#number = :number',
                  names: { '#number': 'number' },
                  values: { ':number': number },
                },
        },
      ]);
    },

    async startAgain(jobId, attempt) {
      const again = {
        key: jobKey(lob, jobId),
        expression: 'SET attempt = :next',
        condition: 'attempt = :attempt',
        values: { ':attempt': attempt, ':next': attempt + 1 },
      };
      // The condition fails if a concurrent sweep has counted this execution.
      await conditionHolds(table, [{ update: again }]);
    },

    async act({ jobId, clientId, acceptedAt }, act, at, operator) {
      const update = transition(jobKey(lob, jobId), jobTransitions[act], {
        sets: 'endedAt = :at',
        values: { ':at': at },
      });
      const ends = endings.includes(act)
        ? [
            {
              update: quota(clientId, 'SET #active = #active - :one', '#active > :none', { ':none': 0 }),
            },
            { delete: jobLineKey(lob, acceptedAt, jobId) },
          ]
        : [];
      const audit = operator === undefined ? [] : [operatorEvent({ jobId, clientId }, at, operator)];
      return await conditionHolds(table, [{ update }, ...ends, ...audit]);
    },

    async part(jobId, part) {
      const item = await table.get(jobPartKey(lob, jobId, part));
      return item && partItem.parse(item);
    },

    async parts(jobId) {
      const items = await queryAll(table, jobPartition(lob, jobId), 'PART#');
      return items.map((item) => partItem.parse(item));
    },

    async finishPart({ jobId, expiresAt }, part) {
      return await conditionHolds(table, [
        putIfAbsent({ ...jobPartKey(lob, jobId, part.part), ...part, ttl: expiresAt + keptSeconds }),
        {
          update: {
            key: jobKey(lob, jobId),
            expression: 'SET done = done + :members',
            condition: '#state = :running',
            names: { '#state': 'state' },
            values: { ':members': part.members, ':running': 'running' },
          },
        },
      ]);
    },

    async jobs(most, after) {
      const { items } = await table.query({
        pk: jobListPartition(lob),
        descending: true,
        // Reads one job more than the page holds, to see whether a next page follows.
        limit: most + 1,
        ...(after !== undefined && { after }),
      });
      const page = items.slice(0, most);
      const found = await table.batchGet(page.map((item) => jobKey(lob, String(item.jobId))));
      const jobs = found.flatMap((item) => (item === undefined ? [] : [jobItem.parse(item)]));
      return items.length > most ? { jobs, next: String(page.at(-1)?.sk) } : { jobs };
    },
  };
}
