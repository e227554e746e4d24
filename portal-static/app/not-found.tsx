import { Page } from './page.tsx';

export default function NotFound() {
  return (
    <Page title="There is no page here" lead="The address may be mistyped, or the page has moved.">
      <p>
        Go to the <a href="/">start page</a>, your <a href="/applications">applications</a>, or the{' '}
        <a href="/docs">documentation</a>.
      </p>
    </Page>
  );
}
