import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { StatusView } from '../../lambdas/portal-api/views.ts';
import { call, type Outcome } from '../api/client.ts';
import { ProblemAlert } from '../components/alert.tsx';
import { Table, Tag, Time } from '../components/display.tsx';
import { Progress } from '../components/progress.tsx';

function StatusNow() {
  const [outcome, setOutcome] = useState<Outcome<StatusView>>();
  const look = async () => {
    setOutcome(undefined);
    setOutcome(await call('GET /api/status'));
  };
  useEffect(() => {
    void look();
  }, []);
  if (outcome === undefined) return <Progress words="Asking each part…" />;
  if (!outcome.ok) return <ProblemAlert problem={outcome.problem} retry={() => void look()} />;
  const { parts, checkedAt } = outcome.value;
  return (
    <>
      <Table
        caption="Parts of the service"
        columns={['Part', 'Answers', 'Took']}
        rows={parts.map((part) => ({
          key: part.name,
          cells: [
            part.name.charAt(0).toUpperCase() + part.name.slice(1),
            <Tag key="answers" kind={part.answers ? 'good' : 'bad'}>
              {part.answers ? 'Yes' : 'No'}
            </Tag>,
            part.latencyMs === undefined ? 'not measured' : `${part.latencyMs} ms`,
          ],
        }))}
      />
      <p>
        Checked <Time at={checkedAt} />.{' '}
        <button type="button" class="usa-button usa-button--unstyled" onClick={() => void look()}>
          Check again
        </button>
      </p>
    </>
  );
}

const root = document.getElementById('status');
if (root === null) throw new Error('the page has no place for the status');
render(<StatusNow />, root);
