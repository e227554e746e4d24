import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Difference } from '../../../lambdas/portal/api/views.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Diff } from '../../components/display.tsx';
import { inWords, isPageAddress, valueLines } from './difference-model.ts';

/** Text in which `backticks` mark code, as in the catalog's texts. */
export function Marked(props: { readonly text: string }) {
  return (
    <>
      {props.text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}
    </>
  );
}

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

/** Button that asks for confirmation before its action runs. */
export function ConfirmButton(props: {
  readonly label: string;
  readonly title: string;
  /** Label of the confirming button. */
  readonly action: string;
  readonly pending: boolean;
  readonly harmless?: boolean;
  readonly onConfirm: () => void;
  readonly children: ComponentChildren;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="usa-button usa-button--outline" onClick={() => setOpen(true)}>
        {props.label}
      </button>
      {open && (
        <Confirm
          title={props.title}
          action={props.action}
          pending={props.pending}
          harmless={props.harmless ?? false}
          onCancel={() => setOpen(false)}
          onConfirm={() => {
            setOpen(false);
            props.onConfirm();
          }}
        >
          {props.children}
        </Confirm>
      )}
    </>
  );
}

/** Button that shows progress while its action runs; it keeps the focus. */
export function ActButton(props: {
  readonly pending: boolean;
  readonly onAct: () => void;
  readonly quiet?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <button
      type="button"
      class={`usa-button ${props.quiet === true ? 'usa-button--outline' : ''}`}
      aria-disabled={props.pending}
      onClick={() => {
        if (!props.pending) props.onAct();
      }}
    >
      {props.children}
    </button>
  );
}

/** Buttons below a list: `Refresh`, and a button that loads older entries if there are any. */
export function ListActions(props: {
  readonly onRefresh: () => void;
  readonly older?:
    | { readonly label: string; readonly busy: boolean; readonly onLoad: () => void }
    | undefined;
}) {
  const { onRefresh, older } = props;
  return (
    <div class="form__actions">
      <button type="button" class="usa-button usa-button--outline" onClick={onRefresh}>
        Refresh
      </button>
      {older !== undefined && (
        <ActButton quiet pending={older.busy} onAct={older.onLoad}>
          {older.label}
        </ActButton>
      )}
    </div>
  );
}
