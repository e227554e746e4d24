import type { PreflightCheck } from '../../../lambdas/portal/api/views.ts';
import type { Problem } from '../../api/problem.ts';
import { Alert, ProblemAlert } from '../../components/alert.tsx';
import { labelOf } from './fields-model.ts';
import { Marked } from './parts.tsx';

/** Explains why an act was refused: the checks that failed, or what was changed in the meantime, with what to do. */
export function ActProblem(props: { readonly problem: Problem }) {
  const { problem } = props;
  if (problem.code === 'preflight_failed') {
    return (
      <Alert kind="error" title={problem.title} focus>
        <Checks checks={(problem.checks ?? []).filter(({ result }) => result === 'fail')} />
      </Alert>
    );
  }
  if (problem.code === 'stale_version') {
    const fields = (problem.changed ?? []).map(labelOf);
    return (
      <Alert kind="warning" title={problem.title} focus>
        <p>
          Your action was not done. {fields.length > 0 && ` Someone changed: ${fields.join(', ')}.`} Review
          the application below, then try again.
        </p>
      </Alert>
    );
  }
  return <ProblemAlert problem={problem} focus />;
}

type ResultWords = Readonly<Record<PreflightCheck['result'], string>>;

const resultWords: ResultWords = {
  pass: 'Passed',
  warn: 'Warning',
  fail: 'Failed',
  skipped: 'Not checked',
};

/** Fields by what the pages call them. */
const named = (text: string) => text.replace(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, labelOf);

export function Checks(props: {
  readonly checks: readonly PreflightCheck[];
  /** Address of the page that edits a field, up to the field's name. */
  readonly fieldPath?: string;
  readonly words?: ResultWords;
}) {
  const words = props.words ?? resultWords;
  return (
    <ul class="checks">
      {props.checks.map((check) => (
        <li key={check.id} class={`check check--${check.result}`}>
          <strong>{check.title}</strong> <span class="check__result">{words[check.result]}</span>
          <p>
            <Marked text={named(check.detail)} />{' '}
            {check.field !== undefined && props.fieldPath === undefined && `(${labelOf(check.field)})`}
            {check.field !== undefined && props.fieldPath !== undefined && check.result !== 'pass' && (
              <a href={`${props.fieldPath}#${check.field}`}>Edit {labelOf(check.field)}</a>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
