/** Command `audit operator`. */

import type { OperatorRecordAnswer } from '../lambdas/portal/api/operator-record-contract.ts';
import type { OperatorActView } from '../lambdas/portal/api/operator-views.ts';
import { questionOf } from './audit-question.ts';
import { UsageError } from './command-line/command-line.ts';
import { csv } from './command-line/csv.ts';
import type { CommandContext } from './command-line/operation.ts';
import { table } from './command-line/table.ts';
import type { ExitCode } from './command-line/terminal.ts';

const columns = ['at', 'act', 'kind', 'id', 'name', 'criterion', 'words'] as const;

/** `audit operator`: lists what an operator did in the portal, newest first. */
export async function auditOperator(operation: CommandContext): Promise<ExitCode> {
  const { values, words, print, note } = operation;
  const [operatorId = ''] = words;
  const question = { ...questionOf(operation), operatorId };
  const acts: OperatorActView[] = [];
  for (let after: string | undefined, more = true; more; more = after !== undefined) {
    const request = { ...question, ...(after !== undefined && { after }) };
    const page = (await operation.invoke(recordFunction(operation), request)) as OperatorRecordAnswer;
    acts.push(...page.acts);
    after = page.next;
  }
  const rows = acts.map((act) => columns.map((name) => act[name] ?? ''));
  if (values.csv === true) print(csv(columns, rows).slice(0, -1));
  else if (values.json === true) print(JSON.stringify(acts, undefined, 2));
  else print(acts.length === 0 ? 'No act on record.' : table(columns, rows));
  note(
    'Acts on an environment from the command line (grants, keys, loads) are in its CloudTrail, by who invoked the function.',
  );
  return 0;
}

function recordFunction({ values, system, variables }: CommandContext): string {
  const found =
    values.function ?? system?.functions.portal?.operatorRecord ?? variables.OPERATOR_RECORD_FUNCTION;
  if (found !== undefined) return found;
  throw new UsageError(
    'no function to invoke; start the local system (npm start), or set --function or OPERATOR_RECORD_FUNCTION',
  );
}
