import { useEffect, useState } from 'preact/hooks';
import { Alert } from './alert.tsx';

/** Code or text that comes after the page's own: undefined while it is on its way. */
export function useLater<T>(load: () => Promise<T>): T | 'failed' | undefined {
  const [value, setValue] = useState<T | 'failed'>();
  useEffect(() => {
    load().then(
      (it) => setValue(() => it),
      () => setValue('failed'),
    );
  }, []);
  return value;
}

/** The network failed, or a new version of the portal was deployed since the tab was opened. */
export function NotLoaded() {
  return (
    <Alert kind="error" title="A part of this page did not load">
      <p>Check your connection, then load it again. What you typed is saved.</p>
      <button type="button" class="usa-button" onClick={() => location.reload()}>
        Load again
      </button>
    </Alert>
  );
}
