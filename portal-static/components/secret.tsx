/** Components that show and copy a secret value. */

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useAnnounce } from '../app/announcer.tsx';

/**
 * Button that copies a value and announces that. Without a clipboard it shows the value, selected, to be copied by the keyboard.
 *
 * @param props.label of the button, which then says what it copies. @default `Copy`
 */
export function CopyButton(props: {
  readonly value: string;
  readonly what: string;
  readonly label?: string;
}) {
  const [said, setSaid] = useState<'Copied' | 'Could not copy'>();
  const [byHand, setByHand] = useState(false);
  const announce = useAnnounce();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.value);
      setSaid('Copied');
      announce(`Copied: ${props.what}.`);
    } catch {
      // No TLS, or the person or the browser refused.
      setSaid('Could not copy');
      setByHand(true);
    }
    setTimeout(() => setSaid(undefined), 2000);
  };
  return (
    <>
      <button type="button" class="usa-button usa-button--outline button--small" onClick={() => void copy()}>
        {said ?? props.label ?? 'Copy'}
        {props.label === undefined && <span class="usa-sr-only"> {props.what}</span>}
      </button>
      {byHand && <SelectedText value={props.value} what={props.what} onLeave={() => setByHand(false)} />}
    </>
  );
}

/** A text in a field that is selected at once, and that is left by Tab or a press elsewhere. */
function SelectedText(props: {
  readonly value: string;
  readonly what: string;
  readonly onLeave: () => void;
}) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return (
    <span class="selected-text">
      <label for={id}>
        This browser does not let the page copy. Press Ctrl+C or ⌘C to copy the selected text
        <span class="usa-sr-only">: {props.what}</span>.
      </label>
      <textarea
        ref={field}
        id={id}
        class="usa-textarea"
        readOnly
        rows={Math.min(8, props.value.split('\n').length)}
        value={props.value}
        onBlur={props.onLeave}
      />
    </span>
  );
}

/** A value that is hidden until the person shows it. It is in the document only while it is shown, and is not printed. */
export function Secret(props: { readonly value: string; readonly what: string }) {
  const [shown, setShown] = useState(false);
  return (
    <div class="secret">
      <code class="secret__value">{shown ? props.value : '•'.repeat(16)}</code>
      <span class="secret__actions">
        <button
          type="button"
          class="usa-button usa-button--outline button--small"
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Show'}
          <span class="usa-sr-only"> {props.what}</span>
        </button>
        <CopyButton value={props.value} what={props.what} />
      </span>
    </div>
  );
}
