import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../components/confirm.tsx';

/** Text in which `backticks` mark code, as in the catalog's texts. */
export function Marked(props: { readonly text: string }) {
  return (
    <>
      {props.text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}
    </>
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
