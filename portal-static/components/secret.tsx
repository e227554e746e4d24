/** Components that show and copy a secret value. */

import { useState } from 'preact/hooks';
import { useAnnounce } from '../app/announcer.tsx';

/** Button that copies a value and announces that. */
export function CopyButton(props: { readonly value: string; readonly what: string }) {
  const [said, setSaid] = useState<'Copied' | 'Could not copy'>();
  const announce = useAnnounce();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.value);
      setSaid('Copied');
      announce(`Copied: ${props.what}.`);
    } catch {
      setSaid('Could not copy');
      announce('This browser does not allow the page to copy. Select the text and copy it.');
    }
    setTimeout(() => setSaid(undefined), 2000);
  };
  return (
    <button type="button" class="usa-button usa-button--outline button--small" onClick={() => void copy()}>
      {said ?? 'Copy'}
      <span class="usa-sr-only"> {props.what}</span>
    </button>
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
