/** Values of a configuration, and how two configurations differ. */

import type { Difference } from '../../../lambdas/portal/api/views.ts';
import { Diff } from '../../components/display.tsx';
import { inWords, isPageAddress, valueLines } from './difference-model.ts';

/** A value with a line for each of its values, or a note that there is none. The URL of a page is a link that opens in a new tab. */
export function ValueLines(props: { readonly field: string; readonly value: unknown }) {
  const lines = valueLines(props.field, props.value);
  const [first] = lines;
  if (first === undefined) return <span class="quiet">Not given</span>;
  if (isPageAddress(props.field, first)) {
    return (
      <a href={first} target="_blank" rel="noopener noreferrer">
        {first}
        <span class="usa-sr-only"> (opens in a new tab)</span>
      </a>
    );
  }
  if (lines.length === 1) return <>{lines[0]}</>;
  return (
    <ul class="plain-list">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

export function DifferenceTable(props: {
  readonly caption: string;
  readonly differences: readonly Difference[];
  readonly before: string;
  readonly after: string;
}) {
  if (props.differences.length === 0) return <p class="quiet">{props.caption}: nothing differs.</p>;
  return (
    <Diff
      caption={props.caption}
      before={props.before}
      after={props.after}
      rows={props.differences.map(inWords).map(({ label, before, after }) => ({
        name: label,
        before: before.join(', '),
        after: after.join(', '),
      }))}
    />
  );
}
