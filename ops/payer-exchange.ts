/** Commands `payer-exchange …`: members' data that other payers are asked for. */

import type {
  ExchangeOperation,
  ExchangeOperationAnswer,
  ExchangeSummary,
} from '../lambdas/payer-exchange/exchange/exchange-operations-contract.ts';
import type { RunsBegunAnswer } from '../lambdas/payer-exchange/runs/exchange-steps-contract.ts';
import type { CommandGroup } from './command-line/command.ts';
import { UsageError } from './command-line/command-line.ts';
import {
  askerOf,
  type CommandContext,
  dryRunOptions,
  isDryRun,
  lineOfBusinessOf,
} from './command-line/operation.ts';
import { pairs, table } from './command-line/table.ts';
import type { ExitCode } from './command-line/terminal.ts';

/** `payer-exchange …` */
export const payerExchangeCommands: CommandGroup = {
  name: 'payer-exchange',
  about: 'Members’ data that other payers are asked for, with the members’ permission.',
  commands: [
    {
      name: 'status',
      about:
        'Counts the exchanges that have something to do, by state; with --year, the requests of a year in time and late.',
      options: ['lob', 'year', ...dryRunOptions],
      run: status,
    },
    {
      name: 'run',
      about: 'Begins the runs that are due, without waiting for the schedule.',
      options: dryRunOptions,
      run: begin,
    },
    {
      name: 'assign <exchange>',
      about: 'Says which payer a member means by the name of a plan.',
      options: ['lob', 'patient', 'payer', ...dryRunOptions],
      run: assign,
    },
    {
      name: 'explain',
      about: 'Describes the exchanges of a member: state, due date, reason of the last act.',
      options: ['lob', 'patient', ...dryRunOptions],
      run: explain,
    },
  ],
};

const refusals = {
  no_such_exchange: 'the member has no exchange with this ID; explain shows them',
  no_such_payer: 'no payer with this ID; payers list shows them',
  not_in_this_state: 'its payer is known already, or the permission has ended',
} as const;

const ask = askerOf<ExchangeOperation, ExchangeOperationAnswer>(
  'exchangeOperations',
  ({ reason }) => refusals[reason],
);

async function status(operation: CommandContext): Promise<ExitCode> {
  const { values, print } = operation;
  const year = values.year === undefined ? {} : { year: yearOf(values.year) };
  const request = {
    action: 'exchange-status',
    lob: lineOfBusinessOf(values, 'payer-exchange'),
    ...year,
  } as const;
  if (isDryRun(operation, request)) return 0;
  const answer = await ask(operation, request, 'exchange-status');
  if (answer === undefined) return 1;
  const { kind: _, ...counts } = answer;
  const { states, overdue, asked } = counts;
  if (values.json === true) print(JSON.stringify(counts));
  else {
    print(
      table(
        ['STATE', 'EXCHANGES'],
        Object.entries(states).map(([state, count]) => [state, `${count}`]),
      ),
    );
    print(`${overdue} past their due date`);
    if (asked !== undefined) print(`Asked in ${values.year}: ${asked.inTime} in time, ${asked.late} late`);
  }
  return 0;
}

function yearOf(text: string): number {
  if (!/^20\d\d$/.test(text)) throw new UsageError('--year is not a year; give one, e.g. 2027');
  return Number(text);
}

const askSteps = askerOf<object, RunsBegunAnswer>('exchangeSteps', () => 'refused');

async function begin(operation: CommandContext): Promise<ExitCode> {
  const { values, print } = operation;
  const request = { action: 'begin' } as const;
  if (isDryRun(operation, request)) return 0;
  const answer = await askSteps(operation, request, 'begun');
  if (answer === undefined) return 1;
  if (values.json === true) print(JSON.stringify({ runs: answer.runs }));
  else if (answer.runs.length === 0) print('Nobody is to be asked about now.');
  else {
    const rows = answer.runs.map(({ lob, runId, payerId, members }) => [lob, runId, payerId, `${members}`]);
    print(table(['LOB', 'RUN', 'PAYER', 'MEMBERS'], rows));
  }
  return 0;
}

async function assign(operation: CommandContext): Promise<ExitCode> {
  const { values, words, print } = operation;
  const { patient, payer } = values;
  if (patient === undefined || payer === undefined)
    throw new UsageError('give the member by --patient and the payer by --payer');
  const request = {
    action: 'exchange-assign',
    lob: lineOfBusinessOf(values, 'payer-exchange'),
    patientId: patient,
    exchangeId: words[0] ?? '',
    payerId: payer,
  } as const;
  if (isDryRun(operation, request)) return 0;
  const answer = await ask(operation, request, 'exchange-explain');
  if (answer === undefined) return 1;
  print(
    values.json === true
      ? JSON.stringify({ exchanges: answer.exchanges })
      : answer.exchanges.map((each) => pairs(entriesOf(each))).join('\n'),
  );
  return 0;
}

async function explain(operation: CommandContext): Promise<ExitCode> {
  const { values, print } = operation;
  const { patient } = values;
  if (patient === undefined) throw new UsageError('the member is missing; give --patient');
  const request = {
    action: 'exchange-explain',
    lob: lineOfBusinessOf(values, 'payer-exchange'),
    patientId: patient,
  } as const;
  if (isDryRun(operation, request)) return 0;
  const answer = await ask(operation, request, 'exchange-explain');
  if (answer === undefined) return 1;
  if (values.json === true) print(JSON.stringify({ exchanges: answer.exchanges }));
  else if (answer.exchanges.length === 0) print('No other plan is asked about this member.');
  else print(answer.exchanges.map((each) => pairs(entriesOf(each))).join('\n\n'));
  return 0;
}

function entriesOf({ received, ...rest }: ExchangeSummary): readonly (readonly [string, string])[] {
  const flat = {
    ...rest,
    ...(received !== undefined && { receivedAt: received.at, resources: received.resources }),
  };
  return Object.entries(flat).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
}
