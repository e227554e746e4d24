import { useEffect, useState } from 'preact/hooks';
import { Alert } from './alert.tsx';

/** Loads code or texts after the page is shown: undefined while loading. */
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

/**
 * Alert for code that could not be loaded, because the network failed or a new version of the portal was deployed after the tab was opened.
 */
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
