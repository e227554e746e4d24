/** Commands `payer-exchange …`: members' data that other payers are asked for. */

import type {
  ExchangeOperation,
  ExchangeOperationAnswer,
  ExchangeSummary,
} from '../lambdas/payer-exchange/exchange/exchange-operations-contract.ts';
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
      name: 'explain',
      about: 'Describes the exchanges of a member: state, due date, reason of the last act.',
      options: ['lob', 'patient', ...dryRunOptions],
      run: explain,
    },
  ],
};

const ask = askerOf<ExchangeOperation, ExchangeOperationAnswer>('exchangeOperations', () => 'refused');

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
