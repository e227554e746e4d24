import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/**
 * Asks for confirmation before an action that cannot be undone. Uses the `dialog` element: the focus stays inside, Escape closes it, and
 * then the focus returns to where it was.
 */
export function Confirm(props: {
  readonly title: string;
  /** Label of the confirming button: "Close my account". */
  readonly action: string;
  readonly pending?: boolean;
  /** Set if nothing is lost by the action: the button is not red. */
  readonly harmless?: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onCancel={() => props.onCancel()}>
      <h2 id={id}>{props.title}</h2>
      {props.children}
      <div class="form__actions">
        <button
          type="button"
          class={`usa-button${props.harmless === true ? '' : ' usa-button--secondary'}`}
          aria-disabled={props.pending ?? false}
          onClick={() => {
            if (props.pending !== true) props.onConfirm();
          }}
        >
          {props.action}
        </button>
        <button type="button" class="usa-button usa-button--outline" onClick={() => props.onCancel()}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}
