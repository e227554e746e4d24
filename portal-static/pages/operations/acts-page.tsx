/** Operators' page of their own acts. */

import { useState } from 'preact/hooks';
import type { OperatorActsView, OperatorActView } from '../../../lambdas/portal/api/operator-views.ts';
import { decisionCriteria } from '../../../lambdas/portal/catalog/application-states.ts';
import { call } from '../../api/portal-client.ts';
import { ProblemAlert } from '../../components/alert.tsx';
import { DataTable, Time } from '../../components/display.tsx';
import { ListActions } from '../applications/parts.tsx';
import { Loaded, type Remote, useAct, useRemote } from '../applications/remote.tsx';
import { actWords } from '../applications/state-model.ts';
import { accountActWords } from './account-model.ts';
import { Console } from './console.tsx';

/** The acts of the operator who is signed in, newest first. */
export default function OwnActsPage() {
  const remote = useRemote(() => call('GET /api/operations/acts'), 'acts');
  return (
    <Console
      title="Your acts"
      path="/operations/acts"
      lead="Your decisions on applications and accounts, newest first."
    >
      <Loaded remote={remote} words="Loading your acts…">
        {(first) => <List first={first} remote={remote} />}
      </Loaded>
    </Console>
  );
}

function List(props: { readonly first: OperatorActsView; readonly remote: Remote<OperatorActsView> }) {
  const { first, remote } = props;
  const [more, setMore] = useState<OperatorActsView>();
  const { run, busy, problem = remote.problem } = useAct();
  const { next } = more ?? first;
  const acts = [...first.acts, ...(more?.acts ?? [])];
  const older = async () => {
    const outcome = await run(() => call('GET /api/operations/acts', { query: { after: next } }));
    if (outcome?.ok !== true) return;
    const { acts: found, ...rest } = outcome.value;
    setMore({ acts: [...(more?.acts ?? []), ...found], ...rest });
  };
  return (
    <>
      <DataTable
        caption="Your acts"
        columns={['About', 'Act', 'Time', 'Criterion', 'Reason or note']}
        rows={acts.map(rowOf)}
        empty="You have not decided anything yet."
      />
      {problem !== undefined && <ProblemAlert problem={problem} />}
      <ListActions
        onRefresh={() => {
          setMore(undefined);
          remote.reload();
        }}
        older={next === undefined ? undefined : { label: 'Older acts', busy, onLoad: () => void older() }}
      />
    </>
  );
}

function rowOf({ at, kind, id, name, act, criterion, words }: OperatorActView) {
  const said = kind === 'application' ? actWords[act as keyof typeof actWords] : accountActWords(act);
  return {
    key: `${at} ${id} ${act}`,
    cells: [
      <a key="about" href={`/operations/${kind}s/${id}`}>
        {name}
      </a>,
      `You ${said ?? act}`,
      <Time key="at" at={at} />,
      criterion === undefined ? '–' : decisionCriteria[criterion].name,
      <span key="words" class="keep-lines">
        {words ?? '–'}
      </span>,
    ],
  };
}
