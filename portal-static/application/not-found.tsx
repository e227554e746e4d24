/** Page for a path that no view of the application page has. */

import { Page } from '../app/page.tsx';

export default function NotFound() {
  return (
    <Page title="Page not found" lead="Check the address. The page may have moved.">
      <p>
        Go to the <a href="/">home page</a>, your <a href="/applications">applications</a>, or the{' '}
        <a href="/docs">documentation</a>.
      </p>
    </Page>
  );
}
